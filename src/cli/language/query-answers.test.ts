import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { puppetDbQueryOption, readQueryAnswers } from './query-answers.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-answers-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function answersOf(value: string) {
  const line = readCommandLine([puppetDbQueryOption, value], { withValue: [puppetDbQueryOption], flags: [] });
  const answer = readQueryAnswers(line);
  return (query: unknown) => answer?.(JSON.stringify(query), new AbortController().signal);
}

function fileOf(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

describe('--puppetdb-query', () => {
  it('empty has no rows for any query', async () => {
    expect(await answersOf('empty')('nodes { }')).toBe('[]');
  });

  it.each([
    ['a.json', '{"nodes {  }": [{"n": 1.0}], "[\\"from\\",  \\"nodes\\"]": [{"n": 2}]}'],
    ['a.yaml', '? |\n  nodes {\n  }\n: [{n: 1.0}]\n\'["from",  "nodes"]\': [{n: 2}]\n'],
  ])('FILE gives the rows of its queries, in which white space does not count (%s)', async (name, text) => {
    const answer = answersOf(fileOf(name, text));

    expect(await answer('nodes\n  { }')).toBe('[{"n":1.0}]');
    expect(await answer(['from', 'nodes'])).toBe('[{"n":2}]');
  });

  it('FILE has rows for all other queries under default', async () => {
    const file = fileOf('default.json', '{"nodes { }": [], "default": [{"certname": "any"}]}');

    expect(await answersOf(file)('nodes { }')).toBe('[]');
    expect(await answersOf(file)('facts { }')).toBe('[{"certname":"any"}]');
  });

  it('fails for a query without rows, naming it', async () => {
    const file = fileOf('few.json', '{"nodes { }": []}');

    await expect(answersOf(file)(['from', 'facts'])).rejects.toThrow(
      `${file} has no rows for the query '["from","facts"]', and no 'default'`,
    );
  });

  it('refuses files that are no hash of queries and rows', () => {
    const wrong = fileOf('wrong.json', '{"nodes { }": {"certname": "b"}}');
    const list = fileOf('list.json', '[]');

    expect(() => answersOf(wrong)).toThrow(`${wrong} has no list of rows for the query 'nodes { }'`);
    expect(() => answersOf(list)).toThrow(`${list} does not hold a JSON object`);
    expect(() => answersOf(join(directory, 'none.json'))).toThrow("none.json can't be read");
  });
});
