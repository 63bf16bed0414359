import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import { autosigns, patternsAllow } from './autosign.ts';

let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-autosign-'));
});

afterAll(() => rm(base, { recursive: true }));

describe('autosign.conf', () => {
  const content = '# comment\n\n*.example.net\nexact.example.org\n*.UPPER\n';

  test.each([
    ['a.example.net', true],
    ['a.b.example.net', true],
    ['example.net', true],
    ['badexample.net', false],
    ['exact.example.org', true],
    ['not.exact.example.org', false],
    ['x.upper', true],
    ['net', false],
  ])('for %s says %s', (certname, expected) => {
    expect(patternsAllow(content, certname, () => expect.unreachable())).toBe(expected);
  });

  test('with a star alone allows everything', () => {
    expect(patternsAllow('*', 'anything', () => expect.unreachable())).toBe(true);
  });

  test('names lines that are not patterns and goes on', () => {
    const invalid: string[] = [];

    expect(patternsAllow('a b\na\n', 'a', (pattern) => invalid.push(pattern))).toBe(true);

    expect(invalid).toEqual(['a b']);
  });
});

describe('autosign', () => {
  test('by a file that does not exist signs nothing', async () => {
    expect(await autosigns(join(base, 'nothing'), 'a', 'pem', silentLogger)).toBe(false);
  });

  test('by a program does what its exit code says', async () => {
    const program = join(base, 'policy');
    await writeFile(program, '#!/bin/sh\n[ "$1" = good ] && [ "$(cat)" = request ]\n');
    await chmod(program, 0o755);

    expect(await autosigns(program, 'good', 'request', silentLogger)).toBe(true);
    expect(await autosigns(program, 'good', 'other', silentLogger)).toBe(false);
    expect(await autosigns(program, 'bad', 'request', silentLogger)).toBe(false);
  });
});
