import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { Interpreter } from './interpreter.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';

/** What Ruby 3.1 answered: expression, text, first line of the error. */
type Recorded = readonly [expression: string, text: string | null, error: string | null];

const recorded = JSON.parse(
  readFileSync(new URL('../../../../test/recorded/ruby/expressions.json', import.meta.url), 'utf8'),
) as readonly Recorded[];
const parser = new RubyParser(prismFiles());

/** @returns `undefined` where the file of a type would be left to Ruby */
function valueOf(expression: string): string | undefined {
  const interpreter = new Interpreter({
    find: () => undefined,
    parse: () => parser.parse(`VALUE = (${expression}).inspect`),
    parseText: (text) => parser.parse(text),
    puppetVersion: '7.23.0',
  });
  try {
    interpreter.load('/x.rb');
    const value = interpreter.constants.get('VALUE');
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof Unmodelled || error instanceof RubyRaise) return undefined;
    throw error;
  }
}

test('expressions in files of types give what Ruby gave, or are not modelled', () => {
  const values = recorded.map(([expression, text, error]) => [
    expression,
    valueOf(expression),
    text ?? error,
  ]);
  const known = values.filter(([, value]) => value !== undefined);

  expect(known.filter(([, value, theirs]) => value !== theirs)).toEqual([]);
  expect(known.length / recorded.length).toBeGreaterThan(0.8);
});
