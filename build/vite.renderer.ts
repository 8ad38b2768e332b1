import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** The window. Nothing is inlined, so that the policy can allow files of its own origin only. */
export default defineConfig({
  root: resolve(root, 'renderer'),
  publicDir: false,
  base: './',
  plugins: [react()],
  build: {
    target: 'chrome140',
    outDir: resolve(root, 'dist/renderer'),
    emptyOutDir: true,
    // Read by licences.ts; not in the package.
    license: { fileName: 'licences.json' },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
});
