/** Tokens: made by operators, used by servers that join, kept as digests. */

import { timingSafeEqual } from 'node:crypto';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { createJoinToken, decodeJoinToken, digestOf, encodeJoinToken } from './join-token.ts';
import type { InfrastructureStore, StoredToken } from './store.ts';

export interface TokenOrder {
  /** How many servers may join with it; any number when absent. */
  readonly uses?: number;
  /** Never ends when absent. */
  readonly ttlSeconds?: number;
  /** Patterns of certnames, as in a signing policy. */
  readonly certnames: readonly string[];
  /** Patterns of alternative names: `DNS:puppet`. */
  readonly altNames: readonly string[];
  readonly createdBy: string;
}

/** What a token lets its bearer ask for. */
export interface Grant {
  readonly certnames: readonly string[];
  readonly altNames: readonly string[];
}

export interface TokenRegisterOptions {
  readonly store: InfrastructureStore;
  /** SHA-256 of the CA's first certificate, hexadecimal: part of each token. */
  readonly caFingerprint: () => string;
  readonly now: () => Date;
}

const orderedBy = 'autoscaler';
/** Enough for an instance to boot and to ask. */
const orderTtlSeconds = 300;

export class TokenRegister {
  private readonly options: TokenRegisterOptions;
  private readonly queue = new SerialQueue();

  constructor(options: TokenRegisterOptions) {
    this.options = options;
  }

  /** @returns the token, which is not to be had again */
  async create(order: TokenOrder): Promise<{ readonly id: string; readonly token: string }> {
    const { caFingerprint, now, store } = this.options;
    const token = createJoinToken(caFingerprint());
    const createdAt = now();
    const { ttlSeconds } = order;
    await store.addToken({
      id: token.id,
      digest: digestOf(token.secret),
      createdAt,
      createdBy: order.createdBy,
      expiresAt: ttlSeconds === undefined ? undefined : new Date(createdAt.getTime() + ttlSeconds * 1000),
      usesLeft: order.uses,
      certnames: order.certnames,
      altNames: order.altNames,
    });
    return { id: token.id, token: encodeJoinToken(token) };
  }

  /**
   * A token for one server, whose launch the primary has ordered. Those of earlier orders that have ended are removed.
   *
   * @returns its text
   */
  async issueFor(certname: string, altNames: readonly string[]): Promise<string> {
    const { now, store } = this.options;
    for (const { createdBy, expiresAt, id } of await store.tokens())
      if (createdBy === orderedBy && expiresAt !== undefined && expiresAt <= now())
        await store.removeToken(id);
    const order = {
      uses: 1,
      ttlSeconds: orderTtlSeconds,
      certnames: [certname],
      altNames,
      createdBy: orderedBy,
    };
    return (await this.create(order)).token;
  }

  all(): Promise<readonly StoredToken[]> {
    return this.options.store.tokens();
  }

  /** @throws ServiceError `not-found` */
  async remove(id: string): Promise<void> {
    if (await this.options.store.removeToken(id)) return;
    throw new ServiceError('not-found', `There is no token ${id}`);
  }

  /** Whether a text is meant as a token: one that is not valid is refused rather than passed over. */
  isToken(text: string): boolean {
    return decodeJoinToken(text) !== undefined;
  }

  /**
   * What a token allows a server with that key, which may have used it before.
   *
   * @throws ServiceError `forbidden` saying why it does not count
   */
  async grant(text: string, certname: string, keyDigest: string): Promise<Grant> {
    const token = await this.valid(text, certname, keyDigest);
    return { certnames: token.certnames, altNames: token.altNames };
  }

  /** Uses the token, once for each key. @throws ServiceError `forbidden` saying why it does not count */
  use(text: string, certname: string, keyDigest: string): Promise<void> {
    return this.queue.run(async () => {
      const { now, store } = this.options;
      const { id } = await this.valid(text, certname, keyDigest);
      if (!(await store.hasUsed(id, certname, keyDigest)))
        await store.useToken(id, certname, keyDigest, now());
    });
  }

  private async valid(text: string, certname: string, keyDigest: string): Promise<StoredToken> {
    const { now, store } = this.options;
    const given = decodeJoinToken(text);
    const token = given && (await store.findToken(given.id));
    if (!given || !token || !isEqual(digestOf(given.secret), token.digest)) throw refused('is not known');
    if (token.expiresAt !== undefined && token.expiresAt <= now())
      throw refused(`ended at ${token.expiresAt.toISOString()}`);
    if (
      token.usesLeft !== undefined &&
      token.usesLeft <= 0 &&
      !(await store.hasUsed(token.id, certname, keyDigest))
    )
      throw refused('has been used up');
    return token;
  }
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}

function refused(reason: string): ServiceError {
  return new ServiceError('forbidden', `The token to join with ${reason}`, { kind: 'infrastructure/token' });
}
