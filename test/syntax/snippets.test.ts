import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ReferenceResult, readWithBunraku } from './compare-parsers.ts';
import { snippetCases } from './snippets.ts';

type Recorded = ReferenceResult & { readonly text: string };

const recorded = JSON.parse(
  readFileSync(new URL('snippets.json', import.meta.url), 'utf8'),
) as readonly Recorded[];
const byText = new Map(recorded.map((each) => [each.text, each]));

// Recorded by `record-snippets.ts`: trees, places, errors and warnings of the real thing.
describe('a snippet is read as Puppet reads it', () => {
  it.each(snippetCases().map((each) => [each.text, each] as const))('%s', (text, snippet) => {
    const { text: _, error, ...rest } = byText.get(text) ?? { text, logs: [], error: 'not recorded' };

    const result = readWithBunraku(snippet);

    // What is a crash to Ruby is an error of ours with the same text.
    const expected = error?.replace(/^crash: \w+: /, '');
    expect(result).toEqual(expected === undefined ? rest : { ...rest, error: expected });
  });
});
