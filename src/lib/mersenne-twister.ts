/** Ruby's random numbers: MT19937 with the seeding and the way to bounded integers that `Random` has. */

const STATE_WORDS = 624;
const SHIFT_WORDS = 397;
const WORD = 0xffffffffn;

/**
 * A generator that gives the same sequence as Ruby's `Random.new(seed)`.
 *
 * @see Matsumoto and Nishimura, "Mersenne Twister" (1998); the reference's `mt19937ar`
 */
export class MersenneTwister {
  private readonly state = new Uint32Array(STATE_WORDS);
  private index = STATE_WORDS;

  /** @param seed - any integer; its sign does not matter, as in Ruby */
  constructor(seed: bigint) {
    const key = seedWords(seed < 0n ? -seed : seed);
    if (key.length === 1) this.seedWithWord(key[0] ?? 0);
    else this.seedWithWords(key);
  }

  /** The next 32 random bits. */
  nextUint32(): number {
    if (this.index >= STATE_WORDS) this.twist();
    let word = this.state[this.index++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /**
   * `Random#rand(limit)`: an integer from 0 to below `limit`.
   *
   * @param limit - 1 or more
   */
  below(limit: bigint): bigint {
    const greatest = wordsOf(limit - 1n);
    for (;;) {
      const candidate = this.wordsUpTo(greatest);
      if (candidate !== undefined) return candidate;
    }
  }

  /** One attempt at a number of at most `greatest` (least significant word first); `undefined` when it was too large. */
  private wordsUpTo(greatest: readonly number[]): bigint | undefined {
    let result = 0n;
    let mask = 0;
    let isAtBoundary = true;
    for (let i = greatest.length - 1; i >= 0; i--) {
      const word = greatest[i] ?? 0;
      mask = mask === 0 ? maskFor(word) : 0xffffffff;
      const random = mask === 0 ? 0 : (this.nextUint32() & mask) >>> 0;
      if (isAtBoundary && random > word) return undefined;
      if (random < word) isAtBoundary = false;
      result = (result << 32n) | BigInt(random);
    }
    return result;
  }

  private seedWithWord(seed: number): void {
    const { state } = this;
    state[0] = seed;
    for (let i = 1; i < STATE_WORDS; i++) {
      const previous = state[i - 1] ?? 0;
      state[i] = Math.imul(1812433253, previous ^ (previous >>> 30)) + i;
    }
  }

  private seedWithWords(key: readonly number[]): void {
    const { state } = this;
    this.seedWithWord(19650218);
    let i = 1;
    let j = 0;
    for (let k = Math.max(STATE_WORDS, key.length); k > 0; k--) {
      state[i] = ((state[i] ?? 0) ^ this.mixed(i, 1664525)) + (key[j] ?? 0) + j;
      i = this.advance(i);
      j = (j + 1) % key.length;
    }
    for (let k = STATE_WORDS - 1; k > 0; k--) {
      state[i] = ((state[i] ?? 0) ^ this.mixed(i, 1566083941)) - i;
      i = this.advance(i);
    }
    state[0] = 0x80000000;
  }

  private mixed(i: number, factor: number): number {
    const previous = this.state[i - 1] ?? 0;
    return Math.imul(previous ^ (previous >>> 30), factor);
  }

  private advance(i: number): number {
    if (i + 1 < STATE_WORDS) return i + 1;
    this.state[0] = this.state[STATE_WORDS - 1] ?? 0;
    return 1;
  }

  private twist(): void {
    const { state } = this;
    for (let i = 0; i < STATE_WORDS; i++) {
      const bits = ((state[i] ?? 0) & 0x80000000) | ((state[(i + 1) % STATE_WORDS] ?? 0) & 0x7fffffff);
      const shifted = state[(i + SHIFT_WORDS) % STATE_WORDS] ?? 0;
      state[i] = shifted ^ (bits >>> 1) ^ ((bits & 1) === 0 ? 0 : 0x9908b0df);
    }
    this.index = 0;
  }
}

/** Ruby drops a most significant word of exactly 1, which guards leading zeros in its packed form. */
function seedWords(seed: bigint): readonly number[] {
  const words = wordsOf(seed);
  return words.length > 1 && words.at(-1) === 1 ? words.slice(0, -1) : words;
}

/** 32-bit words of a natural number, least significant first; one word for 0. */
function wordsOf(value: bigint): readonly number[] {
  const words: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 32n) words.push(Number(rest & WORD));
  return words.length === 0 ? [0] : words;
}

function maskFor(word: number): number {
  return word === 0 ? 0 : 0xffffffff >>> Math.clz32(word);
}
