import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RegexpValue } from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { splitText } from './split-text.ts';
import { substitute } from './substitute.ts';

interface Recorded {
  readonly text: string;
  readonly pattern: string;
  readonly replacement?: string;
  readonly result?: unknown;
  readonly error?: string;
}

// What Ruby 3.1 made of each.
const recorded: { readonly split: readonly Recorded[]; readonly sub: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL('regular-expressions.recorded.json', import.meta.url), 'utf8'),
);

test.each(recorded.split)('$text is split by /$pattern/ as by Ruby', ({ text, pattern, result }) => {
  expect(splitText(text, new RegexpValue(pattern))).toEqual(result);
});

test.each(recorded.sub)('/$pattern/ in $text becomes $replacement as in Ruby', (recording) => {
  const { text, pattern, replacement = '', result, error } = recording;

  const outcome = resultOf(() =>
    [false, true].map((replacesAll) => substitute(text, new RegexpValue(pattern), replacement, replacesAll)),
  );

  expect(outcome).toEqual(error === undefined ? { result } : { error });
});

function resultOf(run: () => unknown): { readonly result?: unknown; readonly error?: string } {
  try {
    return { result: run() };
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return { error: error.message };
  }
}
