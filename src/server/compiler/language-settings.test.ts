import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { loadSettings, parseFlags } from '../../platform/settings/index.ts';
import { EnvironmentRegistry } from '../../services/environments/index.ts';
import { announcedVersion, environmentDefaults, languageSettings } from './language-settings.ts';

function settingsWith(...flags: readonly string[]) {
  return loadSettings({
    flags: parseFlags(['--data', '/nowhere', ...flags]).values,
    environment: {},
    hostname: 'p.example.net',
    readFile: () => undefined,
  }).settings;
}

/** What an environment with this `environment.conf` is compiled with. */
async function languageOf(conf: string, ...flags: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'levels-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'modules'));
  writeFileSync(join(directory, 'environment.conf'), conf);
  const settings = settingsWith(...flags);
  const registry = new EnvironmentRegistry({
    environmentPath: '/code/environments',
    defaults: environmentDefaults(settings),
    staticCatalogs: false,
    language: (level) => languageSettings(settings, level),
    log: silentLogger,
    now: Date.now,
  });
  const loaded = await registry.load({ environment: 'production', codeId: null, directory });
  const { level, strict, strictVariables, visible } = loaded.config.settings;
  return { level: level.number, strict, strictVariables, shown: visible['strict'] };
}

test('an environment has the level of the installation, or one of its own', async () => {
  expect(await languageOf('')).toEqual({ level: 8, strict: 'error', strictVariables: true, shown: 'error' });
  expect(await languageOf('language_level = 7')).toEqual({
    level: 7,
    strict: 'warning',
    strictVariables: false,
    shown: 'warning',
  });
  expect(await languageOf('language_level = 9', '--language-level=7')).toMatchObject({ level: 9 });
});

test('strict and strict_variables as given win over those of the level', async () => {
  const flags = ['--strict=warning', '--strict-variables=false'];

  expect(await languageOf('language_level = 8', ...flags)).toEqual({
    level: 8,
    strict: 'warning',
    strictVariables: false,
    shown: 'warning',
  });
});

test('the server announces the version of its level, unless another is set', () => {
  expect(announcedVersion(settingsWith())).toBe('8.28.1');
  expect(announcedVersion(settingsWith('--language-level=7'))).toBe('7.23.0');
  expect(announcedVersion(settingsWith('--puppet-version=8.10.0'))).toBe('8.10.0');
});
