/**
 * How an agent gets its certificate (`Puppet::SSL::StateMachine` of Puppet 7), step by step, so that something else can
 * happen between any two of them. Keys are elliptic, since a thousand RSA keys take minutes.
 */

import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
  type KeyPair,
  type SslFiles,
} from '../../src/platform/x509/index.ts';
import { type CaServer, send } from './ca-server.ts';

export interface SteppedAgent {
  readonly certname: string;
  readonly files: SslFiles;
  readonly server: CaServer;
  /** Awaited between two steps. */
  readonly pause: () => Promise<void>;
}

/** Runs until there is a certificate. @throws Error where the agent ends with one */
export async function runAgent(agent: SteppedAgent): Promise<void> {
  for (const file of [agent.files.certificate, agent.files.privateKey])
    await mkdir(dirname(file), { recursive: true });
  while (!(await attempt(agent))) await agent.pause();
}

async function attempt(agent: SteppedAgent): Promise<boolean> {
  const { certname, files, pause, server } = agent;
  // Not our own process, which would be the server's: any that lives.
  writeFileSync(files.lock, String(process.ppid));
  try {
    await pause();
    const keys = await loadOrMakeKey(agent);
    if (existsSync(files.certificate)) return true;
    await pause();
    const request = await createCertificateRequest({ certname }, keys);
    const body = encodeCertificateRequest(request);
    const put = await send(server, 'PUT', `certificate_request/${certname}`, { body });
    if (![200, 400].includes(put.status)) throw new Error(`PUT was answered with ${put.status}`);
    await pause();
    const got = await send(server, 'GET', `certificate/${certname}`);
    if (got.status === 404) return false;
    if (!new X509Certificate(got.body).checkPrivateKey(keys.privateKey))
      throw new Error(`The certificate for 'CN=${certname}' does not match its private key`);
    replace(files.certificate, got.body);
    return true;
  } finally {
    rmSync(files.lock);
  }
}

async function loadOrMakeKey({ files, pause }: SteppedAgent): Promise<KeyPair> {
  if (existsSync(files.privateKey)) {
    const privateKey = createPrivateKey(readFileSync(files.privateKey));
    return { privateKey, publicKey: createPublicKey(privateKey) };
  }
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  // Making an RSA key takes an agent as long as all the rest.
  for (let turn = 0; turn < 24; turn += 1) await pause();
  replace(files.privateKey, encodePrivateKey(keys.privateKey));
  return keys;
}

function replace(path: string, content: string): void {
  writeFileSync(`${path}.agent`, content, { mode: 0o640 });
  renameSync(`${path}.agent`, path);
}
