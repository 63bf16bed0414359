import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { accessOptions, readAccessConfig, tokenFileIn } from './access-config.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bunraku-access-'));
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const line = (...args: readonly string[]) =>
  readCommandLine(['--data', join(home, 'data'), ...args], { withValue: accessOptions, flags: [] });

function config(
  content: string,
  file = join(home, '.puppetlabs', 'client-tools', 'puppet-access.conf'),
): string {
  mkdirSync(join(home, '.puppetlabs', 'client-tools'), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('without a file, the primary and the usual places count', () => {
  expect(homedir()).toBe(home);
  expect(readAccessConfig(line('--primary', 'primary.test'))).toEqual({
    serviceUrl: 'https://primary.test:4433/rbac-api',
    tokenFile: join(home, '.puppetlabs', 'token'),
    caFile: join(home, 'data', 'puppet', 'ssl', 'certs', 'ca.pem'),
  });
});

test("the user's file counts where the command line says nothing, and ~ is the home directory", () => {
  config(
    '{"service-url": "https://pe.test:4433/rbac-api/", "token-file": "~/t", "certificate-file": "/ca.pem"}',
  );

  expect(readAccessConfig(line())).toEqual({
    serviceUrl: 'https://pe.test:4433/rbac-api',
    tokenFile: join(home, 't'),
    caFile: '/ca.pem',
  });
  expect(
    readAccessConfig(line('--service-url', 'https://other.test', '-t', '/t', '--ca-cert', '/other.pem')),
  ).toEqual({ serviceUrl: 'https://other.test', tokenFile: '/t', caFile: '/other.pem' });
});

test('a file that is named has to be there, and every file has to be an object', () => {
  const broken = config('["no"]', join(home, 'broken.conf'));

  expect(() => tokenFileIn(line('--config-file', '/nowhere.conf'))).toThrow('cannot read /nowhere.conf');
  expect(() => tokenFileIn(line('-c', broken))).toThrow(
    `${broken} is not what puppet-access reads: an object of JSON`,
  );
});

test('where nothing says where the service is, the message names the ways to say it', () => {
  expect(() => readAccessConfig(line('--console_services_port', '0'))).toThrow(
    'Where is the service? Give --service-url https://PRIMARY:4433/rbac-api or set console_services_port',
  );
});
