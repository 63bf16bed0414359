import { describe, expect, test } from 'vitest';
import { languageLevel } from '../levels/index.ts';
import {
  type EnvironmentDefaults,
  environmentPaths,
  environmentTimeoutSeconds,
  parseEnvironmentConf,
} from './environment-conf.ts';
import { MemoryFileTree } from './memory-file-tree.ts';

const directory = '/code/environments/production';
const defaults: EnvironmentDefaults = {
  basemodulepath: ['/code/modules', '/opt/modules'],
  defaultManifest: './manifests',
  disablePerEnvironmentManifest: false,
  variables: { codedir: '/code' },
};
const files = new MemoryFileTree({ [`${directory}/more/one/x/y`]: '', [`${directory}/more/two/x/y`]: '' });

function pathsFor(text: string | undefined, changes: Partial<EnvironmentDefaults> = {}) {
  const conf = text === undefined ? undefined : parseEnvironmentConf(text, `${directory}/environment.conf`);
  return environmentPaths('production', directory, conf, { defaults: { ...defaults, ...changes }, files });
}

describe('environment.conf', () => {
  test('names a language level', () => {
    const read = (text: string, usual: 7 | 8 | 9 = 8) =>
      parseEnvironmentConf(text, 'environment.conf', languageLevel(usual));

    expect(read('language_level = 9')).toMatchObject({ languageLevel: 9, problems: [] });
    expect(read('modulepath = modules').languageLevel).toBeUndefined();
    expect(read('language_level = latest')).toMatchObject({
      languageLevel: undefined,
      problems: [
        {
          severity: 'error',
          message: "Invalid value 'latest' for language_level: it is 7, 8 or 9. Compiling at 8",
        },
      ],
    });
  });

  test('has no environment_data_provider at level 9', () => {
    const text = 'environment_data_provider = none\n';
    const ignored = `${text}language_level = 9\n`;

    expect(parseEnvironmentConf(text, 'environment.conf').problems).toEqual([]);
    expect(parseEnvironmentConf(ignored, 'environment.conf').problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('ignored: environment_data_provider') },
    ]);
  });

  test('is optional', () => {
    expect(pathsFor(undefined)).toEqual({
      modulepath: [`${directory}/modules`, '/code/modules', '/opt/modules'],
      manifest: `${directory}/manifests`,
      configVersionCommand: undefined,
      problems: [],
    });
  });

  test('sets paths, relative to the environment, with variables', () => {
    const paths = pathsFor(
      '# comment\nmodulepath = site:more/*:$basemodulepath:${codedir}/x/$environment\nmanifest=site.pp\nconfig_version = bin/version.sh\n',
    );

    expect(paths).toEqual({
      modulepath: [
        `${directory}/site`,
        `${directory}/more/one`,
        `${directory}/more/two`,
        '/code/modules',
        '/opt/modules',
        '/code/x/production',
      ],
      manifest: `${directory}/site.pp`,
      configVersionCommand: `${directory}/bin/version.sh`,
      problems: [],
    });
  });

  test('cannot set the manifest where the server forbids it', () => {
    const paths = pathsFor('manifest = mine', { disablePerEnvironmentManifest: true });

    expect(paths.manifest).toBe(`${directory}/manifests`);
    expect(paths.problems).toMatchObject([{ severity: 'error' }]);
    expect(paths.problems[0]?.message).toContain("The 'disable_per_environment_manifest' setting is true");
  });

  test('reports sections, settings and lines that mean nothing', () => {
    const { problems, manifest } = parseEnvironmentConf(
      'a = 1\n[x]\nmanifest = y\nnonsense\n',
      '/e/environment.conf',
    );

    expect(manifest).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([
      'Could not match line nonsense (file: /e/environment.conf, line: 4)',
      "Invalid sections in environment.conf at '/e/environment.conf'. Environment conf may not have sections. The following sections are being ignored: 'x'",
      "Invalid settings in environment.conf at '/e/environment.conf'. The following unknown setting(s) are being ignored: a",
    ]);
  });

  test('reports variables without a value', () => {
    expect(pathsFor('modulepath = $nope').problems).toMatchObject([
      { message: 'Could not find value for $nope' },
    ]);
  });

  test.each([
    ['0', 0],
    ['5m', 300],
    ['unlimited', Number.POSITIVE_INFINITY],
    ['soon', undefined],
  ])('a timeout of %s', (text, seconds) => {
    expect(environmentTimeoutSeconds(text)).toBe(seconds);
  });
});
