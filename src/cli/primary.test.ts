import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandIo } from './command.ts';
import { compileServerCommand } from './compile-server/compile-server.ts';
import { primaryCommand } from './primary.ts';

const signal = AbortSignal.abort();
const io: CommandIo = { signal, isTerminal: false, stdout: () => undefined, stderr: () => undefined };
let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bunraku-primary-'));
  mkdirSync(join(data, 'puppet'));
});
afterEach(() => rmSync(data, { recursive: true }));

async function started(puppetConf: string, command = primaryCommand): Promise<unknown> {
  writeFileSync(join(data, 'puppet', 'puppet.conf'), puppetConf);
  const flags = ['--data', data, '--certname', 'b.example.test'];
  return command.run(flags, io).catch((error: Error) => error.message);
}

test('a primary does not start without an authority, and names the command that does', async () => {
  const named = await started('[main]\nca_server = ca.example.test\n[master]\nca = false\n');
  const unnamed = await started('[master]\nca = false\n');

  expect(named).toBe(
    `${join(data, 'puppet', 'puppet.conf')}:4: ca = false, and a primary is the certificate authority. ` +
      "'bunraku compile-server' serves agents without an authority of its own: it gets its certificate from " +
      'ca.example.test and passes requests to /puppet-ca on',
  );
  expect(unnamed).toContain("'bunraku compile-server --primary HOST'");
});

test('a primary makes no second authority unless told', async () => {
  const first = await started('[main]\nca_server = ca.example.test\n');

  expect(first).toContain('ca_server is ca.example.test, and there is no certificate authority');
  expect(first).toContain("Set 'ca = true'");
});

test('a compile server needs to be told where its primary is', async () => {
  expect(await started('', compileServerCommand)).toBe(
    'name the primary with --primary HOST[:PORT], or as ca_server in puppet.conf',
  );
});
