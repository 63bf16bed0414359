/**
 * `node test/tasks/record.ts`: asks Debian's puppetserver for the tasks and plans of modules made for this, and writes
 * what it says to `test/recorded/tasks/puppetserver.json`. Takes about a minute.
 */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../demo/ports.ts';
import { hasPuppetserver, RealPuppetserver } from '../ca/real-puppetserver.ts';
import { files, targets } from './modules.ts';

if (!hasPuppetserver) {
  console.error('SKIPPED: puppetserver is not installed');
  process.exit(1);
}

const base = mkdtempSync(join(tmpdir(), 'bunraku-tasks-'));
const code = join(base, 'code');
/** Code has versions in one environment: what it prints is the version's name, or nothing. */
const codeId = '#!/bin/sh\n[ "$1" = versioned ] && echo abc123\nexit 0\n';
const codeContent = `#!/bin/sh\nexec cat "${code}/environments/$1/$3"\n`;
const everything = `authorization: { version: 1, rules: [
  { match-request: { path: "/", type: path }, allow-unauthenticated: true, sort-order: 1, name: "everything" } ] }\n`;
const server = new RealPuppetserver({
  base,
  certname: 'localhost',
  port: await freePort(),
  settings: { basemodulepath: join(code, 'modules') },
  serverConf: {
    'auth.conf': everything,
    'versioned-code.conf': `versioned-code: { code-id-command: "${base}/code-id", code-content-command: "${base}/code-content" }\n`,
  },
});

try {
  for (const [name, text] of Object.entries({ 'code-id': codeId, 'code-content': codeContent })) {
    writeFileSync(join(base, name), text);
    chmodSync(join(base, name), 0o755);
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(code, path)), { recursive: true });
    writeFileSync(join(code, path), text);
  }
  await server.ca('setup', '--subject-alt-names', 'localhost');
  await server.start();
  const exchanges = [];
  for (const target of targets) exchanges.push({ target, ...(await ask(target)) });
  const text = JSON.stringify({ files, exchanges }, undefined, 1).replaceAll(code, 'CODE');
  const directory = join(import.meta.dirname, '..', 'recorded', 'tasks');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'puppetserver.json'), `${text}\n`);
  console.log(`${exchanges.length} answers written`);
} finally {
  await server.stop();
  rmSync(base, { recursive: true, force: true });
}

function ask(target: string): Promise<{ status: number; contentType: string; body: string }> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(join(server.caDir, 'ca_crt.pem'));
    const outgoing = request(
      { host: 'localhost', port: server.port, path: target, ca, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
