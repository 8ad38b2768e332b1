import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** Main process and its workers: one ES module each for Electron's Node. Only `electron` and the native keychain stay outside. */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron', '@napi-rs/keyring'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/main',
    emptyOutDir: true,
    // Read by licences.ts; not in the package.
    license: { fileName: 'licences.json' },
    minify: false,
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: resolve(root, 'electron/main.ts'),
        'demo-worker': resolve(root, 'electron/demo-service/worker.ts'),
        'decode-worker': resolve(root, 'electron/core/decode/decode-worker.ts'),
        'workbook-worker': resolve(root, 'electron/core/batch/table/workbook-worker.ts'),
        'table-worker': resolve(root, 'electron/core/batch/survey/table-worker.ts'),
        'sizes-worker': resolve(root, 'electron/core/upkeep/sizes-worker.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
