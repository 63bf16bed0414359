import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = readFileSync(fileURLToPath(new URL('./scripts/install.bash', import.meta.url)), 'utf8');
let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-install-'));
  writeFileSync(
    join(base, 'puppet'),
    '#!/bin/sh\nif [ "$2" = print ]; then echo mom.test; else echo "$3 = $4" >> "$0.log"; fi\n',
  );
  chmodSync(join(base, 'puppet'), 0o755);
});

afterEach(() => rmSync(base, { recursive: true }));

/** What the script writes into the agent's configuration because of certificates that are there. */
function settingsFor(keyOf: string, ...words: readonly string[]): string {
  const keys = join(base, 'ssl/private_keys');
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, `${keyOf}.pem`), '');
  writeFileSync(join(base, 'puppet.log'), '');
  const functions = script.replace(/main "\$@"\s*$/, '');
  const places = `PUPPET='${join(base, 'puppet')}' SERVER_SSL='${join(base, 'ssl')}'`;
  const steps = `${functions}\n${places}\nparse_arguments ${words.join(' ')}\nshare_certificate`;
  const { status, stderr } = spawnSync('bash', ['-c', steps], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(join(base, 'puppet.log'), 'utf8');
}

test('an agent on a host of a server shares the certificate of the server', () => {
  expect(settingsFor('mom.test')).toBe(`ssldir = ${join(base, 'ssl')}\n`);
});

test('other agents keep their own places, and so does one that is told another', () => {
  expect(settingsFor('other.test')).toBe('');
  expect(settingsFor('mom.test', 'main:ssldir=/srv/ssl')).toBe('');
});
