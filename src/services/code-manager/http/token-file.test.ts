import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TokenFile } from './token-file.ts';

test('a token is known until it ends or its line goes, and is not in the file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-tokens-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'tokens');
  let now = new Date('2026-01-01T00:00:00Z');
  const tokens = new TokenFile(path, () => now);

  const forEver = await tokens.create('ci');
  const forAnHour = await tokens.create('webhook', 3_600_000);

  expect(await tokens.find(forEver)).toBe('ci');
  expect(await tokens.find(forAnHour)).toBe('webhook');
  expect(await tokens.find('guess')).toBeUndefined();
  expect(await tokens.find('')).toBeUndefined();
  expect(readFileSync(path, 'utf8')).not.toContain(forEver);
  now = new Date('2026-01-01T01:00:00Z');
  expect(await tokens.find(forAnHour)).toBeUndefined();
  expect(await new TokenFile(join(directory, 'none'), () => now).find(forEver)).toBeUndefined();
});
