/** Arguments for functions: what their text mentions, and values of all kinds. */

import { DEFAULT, Float, PuppetHash, SensitiveValue, type Value } from '../../src/language/pcore/index.ts';

type Random = () => number;

const TEXTS: readonly string[] = [
  '', 'a', 'b', 'ab', 'true', 'false', 'yes', '10', '-3', '1.5', '0x1f', '007', 'undef', '/a/b', '/etc/x.conf', 'a b  c', ' x ',
  'Äö', 'a,b', 'a::b', 'File', 'eth0', '10.0.0.0/8', 'http://h/p?q=1', 'line\nnext', 'k=v', 'UPPER', '$6$x', "it's", '"q"',
]; // biome-ignore format: a table
const SCALARS: readonly Value[] = [null, true, false, 0, 1, -1, 2, 10, 4096, new Float(1.5), new Float(2)];

/** @param text - of the file: its literals are good arguments */
export function generatedArguments(text: string, random: Random): readonly Value[] {
  const mentioned = Array.from(
    text.matchAll(/'([^'\n]{1,20})'|:(\w+)/g),
    ([, quoted, name]) => quoted ?? name ?? '',
  );
  const generator = new Generator([...TEXTS, ...mentioned], random);
  const count = Math.floor(random() * 4) + (random() < 0.05 ? 0 : 1) - (random() < 0.1 ? 1 : 0);
  return Array.from({ length: Math.max(0, count) }, () => generator.value(0));
}

class Generator {
  private readonly texts: readonly string[];
  private readonly random: Random;

  constructor(texts: readonly string[], random: Random) {
    this.texts = texts;
    this.random = random;
  }

  value(depth: number): Value {
    const chance = this.random();
    if (depth < 3 && chance < 0.25) return this.items(depth);
    if (depth < 3 && chance < 0.5) return this.hash(depth);
    if (chance < 0.8) return this.text();
    if (chance < 0.82) return DEFAULT;
    if (chance < 0.85) return new SensitiveValue(this.text());
    return SCALARS[Math.floor(this.random() * SCALARS.length)] ?? null;
  }

  private text(): string {
    return this.texts[Math.floor(this.random() * this.texts.length)] ?? '';
  }

  private items(depth: number): Value {
    const isFlat = this.random() < 0.6;
    return Array.from({ length: this.size() }, () => (isFlat ? this.text() : this.value(depth + 1)));
  }

  private hash(depth: number): Value {
    const hash = new PuppetHash();
    for (let left = this.size(); left > 0; left -= 1) {
      const key = this.random() < 0.9 ? this.text() : Math.floor(this.random() * 5);
      hash.set(key, this.random() < 0.5 ? this.text() : this.value(depth + 1));
    }
    return hash;
  }

  private size(): number {
    return Math.floor(this.random() * 4);
  }
}
