/** Named groups of numbers, as JMX has them: `puppetlabs.puppetdb.mq:name=global.depth`. */

import type { BeanAttributes } from './meter.ts';

type ReadBean = () => BeanAttributes | Promise<BeanAttributes>;

export class Beans {
  private readonly beans = new Map<string, ReadBean>();

  /** @param name - domain and properties in their canonical order */
  define(name: string, read: ReadBean): void {
    this.beans.set(name, read);
  }

  /** All names, or those that a pattern with `*` and `?` matches. */
  names(pattern?: string): readonly string[] {
    const names = [...this.beans.keys()];
    if (pattern === undefined) return names;
    return names.filter((name) => matchesPattern(name, pattern));
  }

  async read(name: string): Promise<BeanAttributes | undefined> {
    return await this.beans.get(name)?.();
  }
}

export function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

/** `*` is anything and `?` one character. Takes the product of the lengths at most, whatever the pattern. */
function matchesPattern(text: string, pattern: string): boolean {
  let [at, next, star, starAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[next];
    if (wanted === '*') [star, starAt, next] = [next, at, next + 1];
    else if (wanted === '?' || wanted === text[at]) [at, next] = [at + 1, next + 1];
    else if (star >= 0) [at, next, starAt] = [starAt + 1, star + 1, starAt + 1];
    else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
