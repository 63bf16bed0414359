/** A server and the agent of its machine ask for the same certificate, in every order, with an emptied ssldir. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type SslFiles, sslFiles } from '../../src/platform/x509/index.ts';
import { obtainNodeCertificate } from '../../src/services/node-certificate/index.ts';
import { type Random, randomFrom } from '../support/random-from.ts';
import { runAgent } from './agent-steps.ts';
import { type CaServer, startCaServer } from './ca-server.ts';

/** A thousand take half a minute. */
const interleavings = Number(process.env['BUNRAKU_INTERLEAVINGS'] ?? 100);

let signing: CaServer;
let holding: CaServer;
beforeAll(async () => {
  [signing, holding] = await Promise.all([
    startCaServer({ autosign: true }),
    startCaServer({ autosign: false }),
  ]);
});
afterAll(async () => {
  await signing.close();
  await holding.close();
});

/** From none to a few turns of the event loop, or milliseconds. */
async function pauseBy(random: Random): Promise<void> {
  const chosen = random();
  if (chosen < 0.3) return;
  await sleep(chosen < 0.6 ? 0 : Math.floor(random() * 12));
}

/** As a unit that is killed at any moment, and started again. */
async function runServer(certname: string, server: CaServer, random: Random): Promise<void> {
  const kills = Math.floor(random() * 3);
  for (let attempt = 0; ; attempt += 1) {
    const killed = attempt < kills ? AbortSignal.timeout(Math.floor(random() * 40)) : undefined;
    try {
      await obtainNodeCertificate({
        sslDir: join(server.base, 'nodes', certname),
        certname,
        altNames: certname,
        key: { kind: 'ec', curve: 'P-256' },
        primaryUrl: `https://localhost:${server.port}`,
        pollIntervalMs: 5,
        log: silentLogger,
        signal: killed ?? new AbortController().signal,
      });
      return;
    } catch (error) {
      if (killed?.aborted !== true) throw error;
    }
  }
}

async function play(seed: number): Promise<SslFiles> {
  const random = randomFrom(seed);
  const certname = `n${seed}.example.net`;
  const server = random() < 0.5 ? signing : holding;
  const files = sslFiles(join(server.base, 'nodes', certname), certname);
  const agent = async () => {
    await sleep(Math.floor(random() * 30));
    await runAgent({ certname, files, server, pause: () => pauseBy(random) });
  };
  const service = async () => {
    await sleep(Math.floor(random() * 30));
    await runServer(certname, server, random);
  };
  const operator = async () => {
    while (server === holding && (await server.ca.findRequest(certname)) === undefined) await sleep(1);
    await pauseBy(random);
    if (server === holding) await server.ca.sign(certname);
  };
  await Promise.all([agent(), service(), operator()]);
  return files;
}

test(`${interleavings} interleavings: both have the certificate of the one key`, async () => {
  const failures: string[] = [];
  for (let seed = 0; seed < interleavings; seed += 4)
    await Promise.all(
      [0, 1, 2, 3].map(async (offset) => {
        try {
          const { certificate, privateKey } = await play(seed + offset);
          const key = createPrivateKey(readFileSync(privateKey));
          if (!new X509Certificate(readFileSync(certificate)).checkPrivateKey(key))
            throw new Error('another key');
        } catch (error) {
          failures.push(`seed ${seed + offset}: ${String(error)}`);
        }
      }),
    );

  expect(failures).toEqual([]);
  expect([signing.ca.pendingRequests, holding.ca.pendingRequests]).toEqual([0, 0]);
});
