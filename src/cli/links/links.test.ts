import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { linksInstallCommand } from './install.ts';
import { linkedCommands } from './link-names.ts';
import { renderLink } from './link-script.ts';
import { linksRemoveCommand } from './remove.ts';

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'links-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('links are put in place and removed again', async () => {
  const directory = newDirectory();

  const installed = await runCommand(linksInstallCommand, directory);
  const names = readdirSync(directory);
  const removed = await runCommand(linksRemoveCommand, directory);

  expect(installed.exitCode).toBe(0);
  expect(installed.out).toContain('puppet infrastructure\n');
  expect(names.sort()).toEqual(linkedCommands.map(({ program }) => program).sort());
  expect(removed.exitCode).toBe(0);
  expect(readdirSync(directory)).toEqual([]);
});

test('programs of another origin stay unless told, and are never removed', async () => {
  const directory = newDirectory();
  const other = join(directory, 'puppetserver');
  writeFileSync(other, '#!/bin/sh\n');

  const kept = await runCommand(linksInstallCommand, directory);
  await runCommand(linksRemoveCommand, directory);

  expect(kept.exitCode).toBe(1);
  expect(kept.err).toBe(`${other} is another program: it stays (--force replaces it)\n`);
  expect(readFileSync(other, 'utf8')).toBe('#!/bin/sh\n');
  const forced = await runCommand(linksInstallCommand, directory, '--force');
  expect(forced.exitCode).toBe(0);
});

test('a link passes its words on, and the folder unless another is named', () => {
  const directory = newDirectory();
  const program = join(directory, "it's a program");
  const link = join(directory, 'puppet-infra');
  writeFileSync(program, '#!/bin/sh\necho "$BUNRAKU_DATA" "$@"\n', { mode: 0o755 });
  const infra = { program: 'puppet-infra', typed: 'puppet infra', words: 'infrastructure' };
  writeFileSync(link, renderLink(infra, program, '/srv/b c'), { mode: 0o755 });
  const run = (env: Readonly<Record<string, string>>) =>
    spawnSync(link, ['status', 'a b'], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } })
      .stdout;

  expect(run({})).toBe('/srv/b c infrastructure status a b\n');
  expect(run({ BUNRAKU_DATA: '/other' })).toBe('/other infrastructure status a b\n');
});

const puppet = ['/usr/bin/puppet', '/opt/puppetlabs/bin/puppet'].find((path) => existsSync(path));

test.skipIf(puppet === undefined)(
  'the real puppet finds them (needs the Debian package puppet-agent)',
  () => {
    const directory = newDirectory();
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\necho "called with $*"\n', { mode: 0o755 });
    for (const command of linkedCommands)
      writeFileSync(join(directory, command.program), renderLink(command, program, ''), { mode: 0o755 });
    const path = `${directory}:${process.env['PATH']}:/opt/puppetlabs/bin`;
    const own = linkedCommands.filter(({ typed }) => typed.startsWith('puppet '));

    const outputs = own.map(({ typed }) => {
      const env = { ...process.env, PATH: path, HOME: directory };
      return spawnSync(puppet ?? '', [...typed.split(' ').slice(1), 'x'], { encoding: 'utf8', env }).stdout;
    });

    expect(outputs).toEqual(own.map(({ words }) => `called with ${words} x\n`));
  },
);
