/** `npm run conformance -- [DIR...]`: compiles the recorded snippets and compares with what real Puppet gave. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const shared = resolve(import.meta.dirname, '../../shared/conformance');
const hasDirectory = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

await import('../test/conformance/run-conformance.ts');
if (!hasDirectory && !existsSync(shared)) {
  console.error(`SKIPPED: conformance: there is no ${shared}`);
  if (process.env['CI'] === 'true') process.exitCode = 1;
}
