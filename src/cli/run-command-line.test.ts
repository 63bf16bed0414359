/** The program as shells and people run it. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-command-line-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a reader that stops early is no error', () => {
  const script = '"$1" "$2" help | true; echo "${PIPESTATUS[0]}"';

  const written = execFileSync('bash', ['-c', `exec 2>&1; ${script}`, 'bash', process.execPath, program]);

  expect(['0', '141']).toContain(written.toString().trim());
});

test('a command that waits for an answer ends with the first signal', async () => {
  const directory = temporaryDirectory();
  const ca = join(directory, 'ca.pem');
  const token = join(directory, 'token');
  writeFileSync(ca, rootCertificates[0] ?? '');
  writeFileSync(token, '0');
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const args = ['user', 'list', '--service-url', url, '--token-file', token, '--cacert', ca];
  const child = spawn(process.execPath, [program, ...args, '--data', directory]);
  const [socket] = await once(silent, 'connection');

  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  socket.destroy();

  expect(code).toBe(130);
});

test('what the system said of a file is told', async () => {
  const directory = temporaryDirectory();
  const absent = join(directory, 'absent');
  const args = ['user', 'list', '--token-file', absent, '--cacert', program, '--data', directory];
  const child = spawn(process.execPath, [program, ...args, '--service-url', 'https://127.0.0.1:1']);
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));

  const [code] = await once(child, 'close');

  expect(code).toBe(1);
  expect(text).toMatch(/^bunraku user list: cannot read .*absent\. .*\nENOENT: no such file or directory/);
});
