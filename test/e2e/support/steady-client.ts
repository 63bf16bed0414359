/**
 * A client that asks again and again as agents do: on connections that it keeps, and never the same thing twice.
 * `node steady-client.ts URL SSLDIR CERTNAME SECONDS` prints how often it got which status.
 */

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', sslDirectory = '', certname = '', seconds = '1'] = process.argv.slice(2);
const read = (name: string) => readFileSync(join(sslDirectory, name), 'utf8');
const credentials = {
  ca: read('certs/ca.pem'),
  cert: read(`certs/${certname}.pem`),
  key: read(`private_keys/${certname}.pem`),
};
const counts = new Map<string, number>();
const endMs = performance.now() + Number(seconds) * 1000;

await Promise.all(Array.from({ length: 8 }, askUntilTheEnd));
process.stdout.write(JSON.stringify(Object.fromEntries(counts)));
process.exit(0);

async function askUntilTheEnd(): Promise<void> {
  const agent = new Agent({ ...credentials, keepAlive: true, maxSockets: 1 });
  while (performance.now() < endMs) {
    const status = await ask(agent);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    await sleep(Math.random() * 400);
  }
  agent.destroy();
}

/** @returns the status, or what went wrong */
function ask(agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const path = '/puppet/v3/file_metadatas/pluginfacts?recurse=true&environment=production';
    request(url + path, { agent, headers: { accept: 'application/json' } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(String(answer.statusCode)));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}
