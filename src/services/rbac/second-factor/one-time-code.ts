/**
 * One-time codes by time.
 *
 * @see RFC 6238 (TOTP), RFC 4226 (HOTP), RFC 4648 (base 32)
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
/** Clocks may differ by one step either way. */
const tolerance = 1;
/** As long as the hash, which is what RFC 4226 recommends. */
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function createSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** @param atMs - any time within the 30 s for which the code counts */
export function codeAt(secret: Buffer, atMs: number): string {
  return codeOfStep(secret, stepAt(atMs));
}

/**
 * @param afterStep - codes up to this step were used already
 * @returns the step of the code, so that it is not taken again; `undefined` for a wrong code
 */
export function stepOfCode(
  secret: Buffer,
  code: string,
  nowMs: number,
  afterStep: number,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = stepAt(nowMs);
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, index) => now - tolerance + index);
  return steps.find((step) => step > afterStep && isEqual(codeOfStep(secret, step), code));
}

/** What programs that make codes read, mostly from a picture. */
export function uriOf(secret: Buffer, login: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(login)}`;
  const parameters = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepMs / 1000),
  });
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`;
}

export function base32(bytes: Buffer): string {
  let text = '';
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += alphabet[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}

function stepAt(ms: number): number {
  return Math.floor(ms / stepMs);
}

function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
