import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { loadSettings, parseFlags } from '../../platform/settings/index.ts';
import { withOfflineCompiler } from '../../server/compiler/offline-compile.ts';
import { levelAfter, previewLevels } from './levels-preview.ts';

const SITE = `
case $trusted['certname'] {
  'plain': { notify { 'hello': } }
  'typo': {
    notify { "port \${1 + '2'}": }
    notify { "name \${nmae}": }
  }
  'legacy': { notify { "on \${osfamily}": } }
  'versions': { notify { 'newest': message => "\${max(SemVer('1.2.0'), SemVer('1.10.0'))}" } }
  default: { fail('broken at every level') }
}
`;

function settingsAt(directory: string, ...flags: readonly string[]) {
  const given = ['--data', join(directory, 'data'), '--puppet-version', '7.99.0', ...flags];
  return loadSettings({
    flags: parseFlags(given).values,
    environment: {},
    hostname: 'p.example.net',
    readFile: () => undefined,
  }).settings;
}

async function preview(certnames: readonly string[], ...flags: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'preview-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const site = join(directory, 'production/manifests/site.pp');
  mkdirSync(dirname(site), { recursive: true });
  writeFileSync(site, SITE);
  const settings = settingsAt(directory, ...flags);
  const code = { directory: join(directory, 'production'), environment: 'production', workers: 1 };
  return await withOfflineCompiler(code, settings, silentLogger, async (compiler) => {
    const load = (certname: string) =>
      Promise.resolve({
        certname,
        facts: certname === 'legacy' ? {} : { kernel: 'Linux' },
        trustedExtensions: {},
        node: { classes: {}, parameters: {} },
      });
    const found = await previewLevels(certnames, {
      compiler,
      settings,
      from: 7,
      to: 8,
      load,
      concurrency: 2,
    });
    return {
      ...found,
      findings: found.findings.map(({ kind, message, nodes, place }) => ({
        kind,
        message,
        nodes: nodes.join(),
        line: place.line,
      })),
    };
  });
}

describe('a preview of a language level', () => {
  test('counts catalogs that stay the same, and those that compile at neither level', async () => {
    expect(await preview(['plain', 'broken'])).toEqual({
      from: 7,
      to: 8,
      nodes: 2,
      same: 1,
      failing: ['broken'],
      findings: [],
    });
  });

  test('tells of errors with their lines, and of everything behind the first one', async () => {
    const { findings, same } = await preview(['typo']);

    expect(same).toBe(0);
    expect(findings).toEqual([
      {
        kind: 'breaks',
        message: expect.stringContaining("The string '2' was automatically coerced"),
        nodes: 'typo',
        line: 5,
      },
      { kind: 'warns', message: expect.stringContaining("Unknown variable: 'nmae'"), nodes: 'typo', line: 6 },
    ]);
  });

  test('tells what changes in catalogs that compile at both levels', async () => {
    const { findings } = await preview(['versions'], '--strict=warning', '--strict-variables=false');

    expect(findings).toEqual([
      {
        kind: 'changes',
        message: 'Notify[newest]: message was "1.2.0", is "1.10.0"',
        nodes: 'versions',
        line: 9,
      },
    ]);
  });

  test('takes settings that somebody made for settings at both levels', async () => {
    const { findings, same } = await preview(['typo'], '--strict=warning', '--strict-variables=false');

    expect({ findings, same }).toEqual({ findings: [], same: 1 });
  });
});

test('levels follow each other', () => {
  expect([levelAfter(7), levelAfter(8), levelAfter(9)]).toEqual([8, 9, undefined]);
});
