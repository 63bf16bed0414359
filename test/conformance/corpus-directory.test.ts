/** What the runner takes of a corpus besides its cases. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordedLevel } from '../support/recorded-levels.ts';
import { runCase } from './run-case.ts';

test('server/hiera.yaml of a corpus is the global layer of Hiera, below which the environment comes', () => {
  const directory = corpus({
    'server/hiera.yaml': 'version: 5\nhierarchy:\n  - {name: all, path: all.yaml}\n',
    'server/data/all.yaml': 'where: global\n',
    'environment/hiera.yaml': 'version: 5\nhierarchy:\n  - {name: own, path: own.yaml}\n',
    'environment/data/own.yaml': 'where: environment\nonly: environment\n',
  });

  const result = run(directory, "[lookup('where'), lookup('only')]", '7');

  expect(result).toMatchObject({ value: ['global', 'environment'] });
});

test('level 8 compiles with its own defaults, versions and facts', () => {
  const directory = corpus({});
  const facts =
    "[$facts['hostname'], $facts['clientversion'], $serverversion, $server_facts['serverimplementation']]";

  expect(run(directory, facts, '7')).toMatchObject({ value: ['test', '7.23.0', '7.23.0', null] });
  expect(run(directory, facts, '8')).toMatchObject({ value: [null, '8.28.1', '8.28.1', 'openvox'] });
  expect(run(directory, '$nowhere', '7')).toMatchObject({ value: null });
  expect(run(directory, '$nowhere', '8')).toMatchObject({
    error: { message: "Evaluation Error: Unknown variable: 'nowhere'." },
  });
});

function run(directory: string, code: string, level: string) {
  const facts = { hostname: 'test' };
  return runCase({ directory, facts, recorded: recordedLevel(level) }, { id: 'one', code, expect: null });
}

function corpus(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'corpus-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(path.join(directory, 'environment'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
  return directory;
}
