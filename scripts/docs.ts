/** `npm run docs`: writes the documents that are made from the code; `--check` only says whether they are current. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderSettingsReference } from '../src/platform/settings/index.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documents: Readonly<Record<string, () => string>> = {
  'docs/settings.md': renderSettingsReference,
};

const isCheck = process.argv.includes('--check');
for (const [path, render] of Object.entries(documents)) {
  const file = join(root, path);
  const text = render();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${path} is not what the code says: run 'npm run docs'`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
