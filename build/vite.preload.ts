import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { channels, events } from '../shared/contract.ts';

const root = resolve(import.meta.dirname, '..');

/** The sandboxed preload must be one CommonJS file. The contract's names are inserted at build time, so that it does not load the schemas. */
export default defineConfig({
  root,
  publicDir: false,
  define: {
    __CHANNEL_NAMES__: JSON.stringify(Object.keys(channels)),
    __EVENT_NAMES__: JSON.stringify(Object.keys(events)),
  },
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/preload',
    emptyOutDir: true,
    // For licences.ts; it is not packaged.
    license: { fileName: 'licences.json' },
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: resolve(root, 'electron/preload.ts'),
      output: { format: 'cjs', entryFileNames: 'preload.cjs' },
    },
  },
});
