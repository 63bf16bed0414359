/** `npm run conformance -- [DIR]`: compiles the recorded snippets and compares with what real Puppet gave. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const shared = resolve(import.meta.dirname, '../../shared/conformance');
const hasDirectory = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

if (hasDirectory || existsSync(shared)) await import('../test/conformance/run-conformance.ts');
else {
  console.error(`SKIPPED: conformance: there is no ${shared}, and no directory was named`);
  process.exitCode = process.env['CI'] === 'true' ? 1 : 0;
}
