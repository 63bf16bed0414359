/**
 * Replacements of secret data: random, and the same wherever the same data of one kind stood, so that
 * what belonged together does.
 *
 * Nothing is remembered, however much there is: what is random about a replacement is a digest of the data and of a key
 * that nobody else has.
 */

import { hash } from 'node:crypto';
import { isRawNumber } from '../../../lib/raw-json.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { LeafKind } from './profile.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const letters = `${lower}${lower.toUpperCase()}`;
const fewestLetters = 10;

export class Replacements {
  private readonly key: string;

  /** @param key - random, of this export alone */
  constructor(key: string) {
    this.key = key;
  }

  /** The same for the same data of a kind. */
  of(kind: LeafKind, value: unknown): unknown {
    if (kind === 'text') return typeof value === 'string' ? '?'.repeat(value.length) : value;
    if (kind === 'fact-value' || kind === 'parameter-value') return this.ofValue(kind, value);
    if (kind === 'line' && value === null) return null;
    return this.ofText(kind, this.randomFor(kind, value), value);
  }

  private ofText(kind: LeafKind, random: Random, value: unknown): unknown {
    switch (kind) {
      case 'node':
        return `${random.text(lower, 10)}.${random.text(lower, 15)}.${random.text(lower, 3)}`;
      case 'type':
        return capitalized(random.text(lower, 10));
      case 'file':
        return `/etc/puppet/modules/${random.text(lower, 10)}/manifests/${random.text(lower, 10)}.pp`;
      case 'line':
        return random.integer(Math.max(Number(value), 20));
      case 'transaction_uuid':
        return random.uuid();
      case 'parameter-name':
      case 'catalog-input-type':
      case 'catalog-input-value':
        return random.text(lower, lengthFor(value));
      default:
        return random.text(letters, lengthFor(value));
    }
  }

  private ofValue(kind: LeafKind, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.ofValue(kind, each));
    return replaceValue(this.randomFor(kind, value), value);
  }

  private randomFor(kind: LeafKind, value: unknown): Random {
    return new Random(hash('sha256', `${this.key}${kind} ${canonicalJson(value)}`, 'buffer'));
  }
}

/** Of the same type, and texts of the same length. */
function replaceValue(random: Random, value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === 'string') return random.text(letters, lengthFor(value));
  if (typeof value === 'boolean') return random.integer(2) === 1;
  if (typeof value === 'number' || isRawNumber(value)) return replaceNumber(random, value);
  if (typeof value !== 'object' || Array.isArray(value)) return random.text(letters, 30);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      random.text(letters, lengthFor(name)),
      replaceValue(random, each),
    ]),
  );
}

function replaceNumber(random: Random, value: unknown): number {
  const text = JSON.stringify(value);
  return /^-?\d+$/.test(text)
    ? random.integer(Math.max(Number(text), 20))
    : random.fraction() * Math.max(Number(text), 1);
}

function lengthFor(value: unknown): number {
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  return Math.max(fewestLetters, length);
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** xoshiro128**: as many random bits as a replacement takes, from those of a digest. @see Blackman and Vigna (2018) */
class Random {
  private readonly state: Uint32Array;

  constructor(seed: Buffer) {
    this.state = Uint32Array.from([0, 4, 8, 12], (at) => seed.readUInt32LE(at));
  }

  text(alphabet: string, length: number): string {
    let text = '';
    for (let index = 0; index < length; index++) text += alphabet[this.integer(alphabet.length)] ?? '';
    return text;
  }

  /** From 0 to below the limit. */
  integer(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.next() / 2 ** 32;
  }

  /** Of version 4. */
  uuid(): string {
    const digits = Array.from({ length: 4 }, () => this.next().toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[this.integer(4)] ?? '8';
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join('-');
  }

  private next(): number {
    const { state } = this;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    state[0] = a ^ d ^ b;
    state[1] = b ^ c ^ a;
    state[2] = c ^ a ^ (b << 9);
    state[3] = rotated(d ^ b, 11);
    return result;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
