/** Tokens in a file: `SHA256 NAME [END]`, one for each line. Who reads the file can't use what it holds. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import type { TokenCheck } from './access.ts';

interface KnownToken {
  readonly digest: Buffer;
  readonly name: string;
  readonly endsAtMs: number;
}

export class TokenFile implements TokenCheck {
  private readonly path: string;
  private readonly now: () => Date;
  private known: { readonly mtimeMs: number; readonly tokens: readonly KnownToken[] } | undefined;

  constructor(path: string, now: () => Date) {
    this.path = path;
    this.now = now;
  }

  async find(token: string): Promise<string | undefined> {
    const digest = digestOf(token);
    const nowMs = this.now().getTime();
    // Each is compared, in the same time whether it is the right one or not.
    const found = (await this.tokens()).filter((known) => timingSafeEqual(known.digest, digest));
    return found.find(({ endsAtMs }) => nowMs < endsAtMs)?.name;
  }

  /** A new token, which is nowhere else. @param lifetimeMs - how long it holds; for ever when absent */
  async create(name: string, lifetimeMs?: number): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const end =
      lifetimeMs === undefined ? '' : ` ${new Date(this.now().getTime() + lifetimeMs).toISOString()}`;
    await appendFile(this.path, `${digestOf(token).toString('hex')} ${name}${end}\n`, { mode: 0o600 });
    return token;
  }

  /** Read again only when the file has changed. */
  private async tokens(): Promise<readonly KnownToken[]> {
    const stats = await stat(this.path).catch(() => undefined);
    if (stats === undefined) return [];
    if (this.known?.mtimeMs === stats.mtimeMs) return this.known.tokens;
    const text = await readFile(this.path, 'utf8');
    const tokens = text.split('\n').flatMap((line) => parseLine(line) ?? []);
    this.known = { mtimeMs: stats.mtimeMs, tokens };
    return tokens;
  }
}

function parseLine(line: string): KnownToken | undefined {
  const match = /^([0-9a-f]{64})\s+(\S+)(?:\s+(\S+))?\s*$/.exec(line);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const endsAtMs = match[3] === undefined ? Number.POSITIVE_INFINITY : Date.parse(match[3]);
  return { digest: Buffer.from(match[1], 'hex'), name: match[2], endsAtMs };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
