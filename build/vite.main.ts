import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** The main process and its workers, as ES modules for Electron's Node. Only `electron` and the native keychain are not bundled. */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron', '@napi-rs/keyring'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/main',
    emptyOutDir: true,
    // For licences.ts; it is not packaged.
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
