/** The snippets that `snippets.txt` holds, separated by lines of `=====`. */

import { readFileSync } from 'node:fs';
import type { SyntaxCase } from './compare-parsers.ts';

export function snippetCases(): SyntaxCase[] {
  const text = readFileSync(new URL('snippets.txt', import.meta.url), 'utf8');
  return text
    .replace(/\n$/, '')
    .split('\n=====\n')
    .map((snippet, id) => ({ id, file: '/site.pp', text: snippet, epp: false }));
}
