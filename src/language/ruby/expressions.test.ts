import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../lib/ruby-syntax/index.ts';
import { nowhere } from './nowhere.ts';
import { ErbTemplates } from './templates/erb-templates.ts';

/** What Ruby 3.1 answered: expression, text, first line of the error. */
type Recorded = readonly [expression: string, text: string | null, error: string | null];

const recorded = JSON.parse(
  readFileSync(new URL('../../../test/recorded/ruby/expressions.json', import.meta.url), 'utf8'),
) as readonly Recorded[];
const parser = new RubyParser(prismFiles());
const templates = new ErbTemplates((source) => parser.parse(source));

describe('expressions of Ruby', () => {
  test('give what Ruby gave, or are given up', () => {
    const differences = recorded.flatMap(([expression, text, error]) => {
      const ours = templates.render(`<%= (${expression}).inspect %>`, nowhere);
      if (ours.kind === 'given-up') return [];
      const [mine, theirs] = ours.kind === 'rendered' ? [ours.text, text] : [ours.message, error];
      return mine === theirs ? [] : [{ expression, mine, theirs: text ?? error }];
    });

    expect(differences).toEqual([]);
  });

  test('are rarely given up', () => {
    const rendered = recorded.filter(
      ([expression]) => templates.render(`<%= (${expression}).inspect %>`, nowhere).kind !== 'given-up',
    );

    expect(rendered.length / recorded.length).toBeGreaterThan(0.85);
  });
});
