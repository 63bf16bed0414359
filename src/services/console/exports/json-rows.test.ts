import { expect, test } from 'vitest';
import { jsonRows } from './json-rows.ts';

const rows = [
  { a: 1 },
  { 'b"]}': 'a \\ "quoted" [text] {with} signs\n' },
  {},
  { deep: [{ of: [1, 2, { x: null }] }] },
  { name: 'Zoë ☃ 🎭' },
];

async function all(parts: readonly (string | Uint8Array)[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const each = async function* () {
    yield* parts;
  };
  for await (const texts of jsonRows(each())) for (const text of texts) found.push(JSON.parse(text));
  return found;
}

test.each([1, 2, 3, 7, 1000])('the rows of an array that comes %d bytes at a time', async (size) => {
  const bytes = Buffer.from(JSON.stringify(rows, undefined, 1));
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

  expect(await all(parts)).toEqual(rows);
  expect(await all([bytes.toString('utf8')])).toEqual(rows);
});

test('an empty array yields no rows', async () => {
  expect(await all(['[', ' ]'])).toEqual([]);
});
