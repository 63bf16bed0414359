/** Makes damaged inputs from whole ones. */

import type { Random } from './random.ts';

/** In bytes. What is longer is parsed by threads, or is for those with a certificate. */
const maxLength = 64 * 1024;
const mostDamages = 6;

export type Words = readonly [string, ...string[]];

/** @param words - pieces that mean something to the parser */
export function mutate(seeds: readonly [Buffer, ...Buffer[]], words: Words, random: Random): Buffer {
  let mutant = random.of(seeds);
  for (let left = 1 + random.below(mostDamages); left > 0; left -= 1)
    mutant = random.of(damages)(mutant, { seeds, words, random });
  return mutant.subarray(0, maxLength);
}

interface Context {
  readonly seeds: readonly [Buffer, ...Buffer[]];
  readonly words: Words;
  readonly random: Random;
}

type Damage = (bytes: Buffer, context: Context) => Buffer;

const flip: Damage = (bytes, { random }) => {
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length + 1);
  if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  return copy;
};

const setByte: Damage = (bytes, { random }) => {
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length + 1);
  if (at < copy.length) copy[at] = random.of([0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x20, 0x30, random.below(256)]);
  return copy;
};

const cut: Damage = (bytes, { random }) => {
  const from = random.below(bytes.length + 1);
  return spliced(bytes, from, from + random.below(9), Buffer.alloc(0));
};

const truncate: Damage = (bytes, { random }) => bytes.subarray(0, random.below(bytes.length + 1));

const insertWord: Damage = (bytes, { random, words }) => {
  const at = random.below(bytes.length + 1);
  return spliced(bytes, at, at + random.below(3), Buffer.from(random.of(words)));
};

const cross: Damage = (bytes, { random, seeds }) => {
  const other = random.of(seeds);
  const from = random.below(other.length + 1);
  const at = random.below(bytes.length + 1);
  return spliced(bytes, at, at + random.below(20), other.subarray(from, from + random.below(40)));
};

const double: Damage = (bytes, { random }) => {
  const from = random.below(bytes.length + 1);
  const part = bytes.subarray(from, from + 1 + random.below(30));
  return spliced(bytes, from, from, part);
};

/** Rarely: what a parser does with one level or one more character, it has to do with thousands. */
const repeat: Damage = (bytes, { random, words }) => {
  if (random.below(30) > 0) return bytes;
  const from = random.below(bytes.length + 1);
  const part =
    random.below(2) === 0 ? Buffer.from(random.of(words)) : bytes.subarray(from, from + 1 + random.below(8));
  if (part.length === 0) return bytes;
  const count = Math.min(1 << random.below(15), Math.ceil(maxLength / part.length));
  return spliced(bytes, from, from, Buffer.alloc(part.length * count, part));
};

const damages: readonly [Damage, ...Damage[]] = [
  flip,
  setByte,
  cut,
  truncate,
  insertWord,
  insertWord,
  cross,
  double,
  repeat,
];

function spliced(bytes: Buffer, from: number, to: number, insertion: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), insertion, bytes.subarray(to)]);
}
