/** Our primary and a compile server of ours, on the real PuppetDB of Debian. */

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '../../../demo/installation.ts';
import { freePort } from '../../../demo/ports.ts';
import { buildIfChanged } from '../../../scripts/bundle.ts';
import { type RunningRealPuppetDb, startRealPuppetDb } from '../real-puppetdb.ts';
import { type PeerRuns, runPeers } from './peer-runs.ts';

const project = join(import.meta.dirname, '..', '..', '..');
const heapMb = 512;

/** @param base - a directory of its own */
export async function runOnRealPuppetDb(base: string): Promise<PeerRuns> {
  await buildIfChanged();
  const compileServer = await freePort();
  const installation = new Installation({
    directory: base,
    project,
    node: process.execPath,
    ports: { primary: await freePort(), compileServers: [compileServer], balancer: 0 },
    controlRepository: environmentIn(base),
    autosign: ['*.example.net'],
  });
  let puppetDb: RunningRealPuppetDb | undefined;
  try {
    puppetDb = await puppetDbWithCertificate(installation);
    await installation.startPrimary();
    await installation.startCompileServer(0);
    const { url } = puppetDb;
    return await runPeers(base, compileServer, (pql) => ask(url, pql));
  } finally {
    await installation.stop();
    await puppetDb?.stop();
  }
}

/** An environment that is nothing but the manifest. */
function environmentIn(base: string): string {
  const manifests = join(base, 'control-repository', 'manifests');
  mkdirSync(manifests, { recursive: true });
  copyFileSync(new URL('site.pp', import.meta.url), join(manifests, 'site.pp'));
  return join(base, 'control-repository');
}

/** The first start of the primary makes a CA and a certificate for `localhost`, which is the PuppetDB's, too. */
async function puppetDbWithCertificate(installation: Installation): Promise<RunningRealPuppetDb> {
  await installation.startPrimary();
  await installation.primary?.stop();
  const { directory } = installation.options;
  const port = await freePort();
  for (const server of ['primary', 'compile1']) {
    mkdirSync(join(directory, server, 'puppet'), { recursive: true });
    writeFileSync(
      join(directory, server, 'puppet', 'puppetdb.conf'),
      `[main]\nserver_urls = https://localhost:${port}\n`,
    );
  }
  const ssl = join(installation.primaryDirectory, 'puppet', 'ssl');
  const credentials = installation.operatorCredentials();
  const files = { certificate: join(ssl, 'puppetdb.crt'), privateKey: join(ssl, 'puppetdb.key') };
  writeFileSync(files.certificate, credentials.certificate);
  writeFileSync(files.privateKey, credentials.privateKey);
  return await startRealPuppetDb(heapMb, { port, ...files, ca: join(ssl, 'certs', 'ca.pem') });
}

async function ask(url: string, pql: string): Promise<readonly unknown[]> {
  const reply = await fetch(`${url}/pdb/query/v4`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: pql }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${pql}: ${text}`);
  return JSON.parse(text) as readonly unknown[];
}
