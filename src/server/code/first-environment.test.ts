import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { stageFirstEnvironment } from './first-environment.ts';

function newPrimary() {
  const root = mkdtempSync(join(tmpdir(), 'first-environment-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const codeStagingDir = join(root, 'code-staging');
  const settings = { codeDir: '/code', environmentPath: ['/code/environments'], codeStagingDir };
  return { settings, storage: join(root, 'storage'), environments: join(codeStagingDir, 'environments') };
}

test('a new primary has an empty production environment', () => {
  const { environments, settings, storage } = newPrimary();

  stageFirstEnvironment(settings, storage, silentLogger);

  expect(readdirSync(environments)).toEqual(['production']);
  expect(readdirSync(join(environments, 'production'))).toEqual([]);
});

test('staged environments stay as they are', () => {
  const { environments, settings, storage } = newPrimary();
  mkdirSync(join(environments, 'testing'), { recursive: true });

  stageFirstEnvironment(settings, storage, silentLogger);

  expect(readdirSync(environments)).toEqual(['testing']);
});

test('an environment that was removed later does not come back', () => {
  const { environments, settings, storage } = newPrimary();
  mkdirSync(storage);

  stageFirstEnvironment(settings, storage, silentLogger);

  expect(existsSync(environments)).toBe(false);
});
