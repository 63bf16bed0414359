/** The program that starts and stops with a machine of a group: when it joins, and when it leaves. */

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FakeMetadata } from '../support/aws/fake-metadata.ts';

const script = join(import.meta.dirname, '..', '..', 'packaging', 'platforms', 'bunraku-autoscaled');
let metadata: FakeMetadata;
let directory: string;

beforeAll(async () => {
  metadata = await FakeMetadata.start();
});
afterAll(() => metadata.close());

beforeEach(() => {
  metadata.values.clear();
  metadata.asked.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'bunraku-autoscaled-'));
  mkdirSync(join(directory, 'private_keys'));
  // Joining leaves a key; leaving removes it.
  const program = `#!/bin/sh
echo "$*" >> ${directory}/calls
if [ -e ${directory}/away ]; then exit 1; fi
case $2 in
  join) echo key > ${directory}/private_keys/i-1.test.pem ;;
  leave) rm ${directory}/private_keys/*.pem ;;
esac
`;
  writeFileSync(join(directory, 'bunraku'), program, { mode: 0o755 });
});
afterEach(() => rmSync(directory, { recursive: true }));

/** @returns its exit code */
function run(verb: string, settings: Readonly<Record<string, string>> = {}): Promise<number> {
  const environment = {
    PATH: process.env['PATH'],
    BUNRAKU: join(directory, 'bunraku'),
    NOTE: join(directory, 'note'),
    SSLDIR: directory,
    AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.endpoint,
    PRIMARY: 'https://primary.test:8140',
    DNS_ALT_NAMES: 'puppet,pool.test',
    IDENTITY: 'aws',
    CA_FINGERPRINT: 'AB:CD',
    ...settings,
  };
  return new Promise((resolve) => {
    execFile(script, [verb], { env: environment }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

function calls(): readonly string[] {
  const file = join(directory, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const joining =
  'compile-server join https://primary.test:8140 --dns-alt-names puppet,pool.test --max-retry-delay 4m --identity aws --ca-fingerprint AB:CD';
const leaving = 'compile-server leave';

test('a machine joins at its first start and stays through a reboot', async () => {
  for (const verb of ['start', 'stop', 'start', 'stop', 'start']) expect(await run(verb)).toBe(0);

  expect(calls()).toEqual([joining]);
});

test.each([
  ['ends the instance', 'meta-data/autoscaling/target-lifecycle-state', 'Terminated'],
  ['takes it back into the warm pool', 'meta-data/autoscaling/target-lifecycle-state', 'Warmed:Stopped'],
  ['interrupts a spot instance', 'meta-data/spot/instance-action', '{"action": "terminate"}'],
])('it leaves when AWS %s, and joins again should it come back', async (_what, path, value) => {
  await run('start');
  metadata.values.set('meta-data/autoscaling/target-lifecycle-state', 'InService');
  expect(await run('stop')).toBe(0);
  expect(calls()).toEqual([joining]);

  metadata.values.set(path, value);
  expect(await run('stop')).toBe(0);
  expect(calls()).toEqual([joining, leaving]);
  metadata.values.clear();
  expect(await run('stop')).toBe(0);
  expect(await run('start')).toBe(0);
  expect(calls()).toEqual([joining, leaving, joining]);
});

test('a machine whose server has left joins again', async () => {
  await run('start');
  rmSync(join(directory, 'private_keys', 'i-1.test.pem'));

  expect(await run('stop', { PURGE: 'always' })).toBe(0);
  expect(await run('start')).toBe(0);

  expect(calls()).toEqual([joining, joining]);
});

test('PURGE=always leaves at each stop and joins at each start', async () => {
  for (const verb of ['start', 'stop', 'start', 'stop']) expect(await run(verb, { PURGE: 'always' })).toBe(0);

  expect(calls()).toEqual([joining, leaving, joining, leaving]);
});

test('a token is taken from the environment, and no platform is asked', async () => {
  const settings = { BUNRAKU_JOIN_TOKEN: 'secret', IDENTITY: '', CA_FINGERPRINT: '' };
  metadata.values.set('meta-data/autoscaling/target-lifecycle-state', 'Terminated');

  for (const verb of ['start', 'stop']) expect(await run(verb, settings)).toBe(0);

  expect(calls()).toEqual([joining.replace(/ --identity.*/, '')]);
  expect(metadata.asked).toEqual([]);
});

test('a join or a departure that fails is told, and done again the next time', async () => {
  writeFileSync(join(directory, 'away'), '');
  expect(await run('start')).toBe(1);
  rmSync(join(directory, 'away'));
  expect(await run('start')).toBe(0);
  writeFileSync(join(directory, 'away'), '');
  expect(await run('stop', { PURGE: 'always' })).toBe(1);
  rmSync(join(directory, 'away'));
  expect(await run('start')).toBe(0);

  // It has its certificate still, and serves with it.
  expect(calls()).toEqual([joining, joining, leaving]);
});

test('anything else is refused', async () => {
  expect(await run('restart')).toBe(2);
});

test.skipIf(spawnSync('shellcheck', ['--version']).status !== 0)(
  'it has no mistakes that shellcheck knows',
  () => {
    expect(spawnSync('shellcheck', [script], { encoding: 'utf8' }).stdout).toBe('');
  },
);
