/** The password of the user `admin` of the demo: made once, and kept with everything else. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

export async function administratorPassword(installation: Installation): Promise<string> {
  const file = join(installation.options.directory, 'admin-password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const password = randomBytes(9).toString('base64url');
  await setPassword(installation, password);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

async function setPassword({ options, primaryDirectory }: Installation, password: string): Promise<void> {
  const { node, project } = options;
  const program = join(project, 'dist', 'main.js');
  const child = spawn(node, [program, 'user', 'password', 'admin', '--data', primaryDirectory], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')));
  child.stdin.end(password);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The password of admin could not be set: ${said.trim()}`);
}
