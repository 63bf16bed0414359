import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { loadSettings, parseFlags } from '../../platform/settings/index.ts';
import { codeCheck } from './code-check.ts';

test('code that is checked asks PuppetDB as it will when it is live', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-check-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'manifests'));
  writeFileSync(
    join(directory, 'manifests/site.pp'),
    "fail(puppetdb_query('nodes {}')[0]['certname'])\nNotify <<| |>>\n",
  );
  const { values: flags } = parseFlags(['--certname', 'primary.example.net']);
  const { settings } = loadSettings({ flags, environment: {}, hostname: 'h', readFile: () => undefined });
  const check = codeCheck(
    settings,
    {
      findFacts: () => Promise.resolve({ certname: 'n', values: {} }),
      classifier: { find: () => Promise.resolve({ classes: {}, parameters: {} }) },
      extensions: () => Promise.resolve({}),
      puppetDb: { query: (query) => Promise.resolve(`[{"certname": ${query}}]`) },
    },
    silentLogger,
  );

  const { signal } = new AbortController();
  const findings = await check.check({ directory, environment: 'e', nodes: ['n'], signal });

  expect(findings).toEqual([
    `The catalog of n does not compile: Evaluation Error: Error while evaluating a Function Call, nodes {} ` +
      `(file: ${directory}/manifests/site.pp, line: 1, column: 1) on node n`,
  ]);
});
