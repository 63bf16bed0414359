import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { languageLevel } from '../../../language/levels/index.ts';
import { checkSyntax } from './check-syntax.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-check-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function findings(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const found = await checkSyntax({
    directory,
    strict: 'warning',
    level: languageLevel(7),
    workerUrl: new URL('./syntax-worker.ts', import.meta.url),
    signal: new AbortController().signal,
  });
  return found.map((text) => text.replaceAll(`${directory}/`, ''));
}

test('what a server would load is parsed: manifests, functions, types, plans, templates, data', async () => {
  expect(
    await findings({
      'manifests/site.pp': 'node default {',
      'modules/m/functions/f.pp': 'function m::f() { 1 + }',
      'modules/m/types/t.pp': 'type M::T = String[',
      'modules/m/plans/p.pp': "plan m::p { file { '/x': } }",
      'modules/m/plans/y.yaml': 'steps: [',
      'modules/m/templates/t.epp': '<% if true { %>',
      'data/common.yaml': 'a: {',
    }),
  ).toEqual([
    expect.stringContaining('data/common.yaml'),
    'Syntax error at end of input (file: manifests/site.pp)',
    "Syntax error at '}' (file: modules/m/functions/f.pp, line: 1, column: 23)",
    'A Resource Statement is only available when compiling a catalog (file: modules/m/plans/p.pp, line: 1, column: 13)',
    expect.stringContaining('modules/m/plans/y.yaml'),
    'Syntax error at end of input (file: modules/m/templates/t.epp)',
    'Syntax error at end of input (file: modules/m/types/t.pp)',
  ]);
});

test('files that are not UTF-8 are refused, as compiles do', async () => {
  const latin1 = Buffer.from('# caf\xe9\n', 'latin1');

  expect(
    await findings({
      'manifests/site.pp': latin1,
      'modules/m/templates/t.epp': latin1,
      'data/common.yaml': latin1,
    }),
  ).toEqual([
    '(data/common.yaml): incomplete UTF-8 octet sequence at line 1 column 1',
    'invalid byte sequence in UTF-8 (file: manifests/site.pp)',
    'invalid byte sequence in UTF-8 (file: modules/m/templates/t.epp)',
  ]);
});

test('what is well, and what no server loads, is not complained of', async () => {
  expect(
    await findings({
      'manifests/site.pp': 'node default { }',
      'modules/m/plans/p.pp': 'plan m::p($t) { apply($t) { include m } }',
      'modules/m/plans/y.yaml': 'steps: []',
      'modules/m/spec/broken.pp': 'class {',
      'modules/m/examples/manifests/broken.pp': 'class {',
      'modules/m/files/manifests/broken.pp': 'class {',
    }),
  ).toEqual([]);
});
