/**
 * Asks the Puppet that is installed what it makes of the snippets in `snippets.txt`, and writes `snippets.json`.
 *
 *     node test/syntax/record-snippets.ts
 */

import { writeFileSync } from 'node:fs';
import { readWithPuppet } from './compare-parsers.ts';
import { snippetCases } from './snippets.ts';

const cases = snippetCases();
const results = await readWithPuppet(cases);
const recorded = cases.map(({ text }, index) => ({ text, ...results[index] }));
writeFileSync(new URL('snippets.json', import.meta.url), `${JSON.stringify(recorded, undefined, 2)}\n`);
console.log(`${recorded.length} snippets recorded`);
