import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** The window. Nothing is inlined, so that the content security policy can allow files of its own origin only. */
export default defineConfig({
  root: resolve(root, 'renderer'),
  publicDir: false,
  base: './',
  plugins: [react()],
  resolve: { alias: { zod: resolve(root, 'renderer/no-schemas.ts') } },
  build: {
    target: 'chrome140',
    outDir: resolve(root, 'dist/renderer'),
    emptyOutDir: true,
    // For licences.ts; it is not packaged.
    license: { fileName: 'licences.json' },
    assetsInlineLimit: 0,
    // One style sheet, so that the order of rules does not depend on which screen is opened first.
    cssCodeSplit: false,
    modulePreload: false,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            // Small chunks are merged, which can make chunks import each other in a circle: a script then runs before what it imports,
            // and its screen fails. test/app/bundle.spec.ts finds one. A lower threshold merges less, and 0 nothing.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000, priority: 1 },
          ],
        },
      },
    },
  },
});
