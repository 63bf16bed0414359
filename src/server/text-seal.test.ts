import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSeal } from './text-seal.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-seal-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

test('what is closed shows nothing, and opens again after a restart', async () => {
  const file = join(directory, 'key');
  const text = '{"password":"geheim"}';
  const closed = (await openSeal(file)).close(text);

  expect(Buffer.from(closed, 'base64').toString('latin1')).not.toContain('geheim');
  expect((await openSeal(file)).open(closed)).toBe(text);
  expect((await openSeal(file)).close(text)).not.toBe(closed);
  expect(readFileSync(file)).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('another key opens nothing', async () => {
  const closed = (await openSeal(join(directory, 'one'))).close('text');
  const other = await openSeal(join(directory, 'other'));

  expect(() => other.open(closed)).toThrow();
});
