import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { policyFiles } from './files.ts';

// Writes the generated files into this folder. Run it after a change of electron/core/policy/policy-schema.ts.
for (const [name, text] of Object.entries(policyFiles())) {
  const path = join(import.meta.dirname, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stderr.write(`build/policy/${name}\n`);
}
