import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Float, integer, PuppetHash, type Value } from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { formatString } from './format-string.ts';

interface Recorded {
  readonly format: string;
  readonly args: readonly unknown[];
  readonly text?: string;
  readonly error?: string;
}

// What Ruby 3.1 made of each format.
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('format-string.recorded.json', import.meta.url), 'utf8'),
);

test.each(recorded)('$format with $args gives what Ruby gives', ({ format, args, text, error }) => {
  const result = outcome(() => formatString(format, args.map(decode)));

  expect(result).toEqual(error === undefined ? { text } : { error });
});

function outcome(run: () => string): { readonly text?: string; readonly error?: string } {
  try {
    return { text: run() };
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return { error: error.message };
  }
}

function decode(value: unknown): Value {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value as Value;
  if ('float' in value) return new Float(Number(value.float));
  if ('int' in value) return integer(BigInt(String(value.int)));
  const { hash = [] } = value as { readonly hash?: readonly (readonly [string, unknown])[] };
  return new PuppetHash(hash.map(([key, item]) => [key, decode(item)] as const));
}
