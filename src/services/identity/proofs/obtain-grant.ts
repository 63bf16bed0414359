/** Asks for a grant, for as long as it takes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../lib/service-error.ts';
import type { HttpClient } from '../../../platform/http-client/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { identityPath } from '../routes.ts';
import { GrantWire, type IdentityClaim } from '../wire.ts';
import type { Bonds, ProofMaker } from './proof-maker.ts';

export interface GrantOrder extends Bonds {
  readonly maker: ProofMaker;
  readonly client: Pick<HttpClient, 'send'>;
  /** `https://HOST:PORT` of any server of the installation. */
  readonly url: string;
  readonly certname: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Between attempts when the answer says nothing else; with up to as much again by chance. */
  readonly pauseMs: number;
}

const timeoutMs = 30_000;
const longestPauseMs = 60_000;

/**
 * @returns the text for `challengePassword`
 * @throws ServiceError `forbidden` in the primary's words when the proof does not count
 */
export async function obtainGrant(order: GrantOrder): Promise<string> {
  const { certname, log, pauseMs, signal } = order;
  for (;;) {
    const outcome = await attempt(order);
    if (outcome.kind === 'granted') return outcome.token;
    const waitMs = Math.min(longestPauseMs, outcome.waitMs ?? pauseMs) * (1 + Math.random());
    log.warn(
      { certname, reason: outcome.reason, waitMs: Math.round(waitMs) },
      'the proof of identity has to wait',
    );
    await sleep(waitMs, undefined, { signal });
  }
}

type Outcome =
  | { readonly kind: 'granted'; readonly token: string }
  | { readonly kind: 'wait'; readonly reason: string; readonly waitMs?: number };

async function attempt(order: GrantOrder): Promise<Outcome> {
  const { caFingerprint, certname, client, keyDigest, maker, signal, url } = order;
  try {
    // Anew each time: proofs get old.
    const proof = await maker.make({ caFingerprint, keyDigest }, signal);
    const claim: IdentityClaim = {
      provider: maker.provider,
      certname,
      key_digest: keyDigest,
      ca_fingerprint: caFingerprint,
      proof,
    };
    const { body, headers, status } = await client.send({
      method: 'POST',
      url: url + identityPath,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(claim),
      signal,
      timeoutMs,
    });
    const text = body.toString('utf8');
    if (status === 200) return { kind: 'granted', token: GrantWire.parse(JSON.parse(text)).token };
    if (status === 403 || status === 400) throw new ServiceError('forbidden', text);
    const seconds = Number(headers['retry-after']);
    const wait = Number.isFinite(seconds) && seconds > 0 ? { waitMs: seconds * 1000 } : {};
    return { kind: 'wait', reason: `status ${status}: ${text.slice(0, 500)}`, ...wait };
  } catch (error) {
    if (error instanceof ServiceError && (error.reason === 'unavailable' || error.reason === 'timeout'))
      return { kind: 'wait', reason: error.message };
    throw error;
  }
}
