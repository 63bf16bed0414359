/** `lookup_options`: how the value of a key is merged and converted. */

import { PuppetHash, type RegexpValue, type Value } from '../pcore/index.ts';
import { LookupError } from './lookup-error.ts';

/** Options for exact keys and for patterns, which begin with `^`. */
export class LookupOptions {
  private readonly keys = new Map<string, Value>();
  private readonly patterns: (readonly [RegexpValue, Value])[] = [];

  /**
   * @param options - as found, and checked by `checkLookupOptions`
   * @param compile - gives the same expression for the same text
   */
  constructor(options: PuppetHash, compile: (pattern: string) => RegexpValue) {
    for (const [key, value] of options) {
      if (typeof key !== 'string') continue;
      if (key.startsWith('^')) this.patterns.push([compile(key), value]);
      else this.keys.set(key, value);
    }
  }

  /** The options for a root key; exact ones come first, then the first pattern that matches. */
  find(rootKey: string): PuppetHash | undefined {
    const exact = this.keys.get(rootKey);
    if (exact !== undefined && exact !== null) return exact instanceof PuppetHash ? exact : undefined;
    const match = this.patterns.find(([pattern]) => pattern.test(rootKey));
    return match?.[1] instanceof PuppetHash ? match[1] : undefined;
  }
}

/**
 * Options must be a hash; those of a module may only be about the module.
 *
 * @throws LookupError
 */
export function checkLookupOptions(
  options: Value | undefined,
  moduleName: string | undefined,
): PuppetHash | undefined {
  if (options === undefined || options === null) return undefined;
  if (!(options instanceof PuppetHash)) throw new LookupError('value of lookup_options must be a hash');
  if (moduleName === undefined) return options;
  const prefix = `${moduleName}::`;
  for (const key of options.keys()) {
    const text = String(key);
    if (text.startsWith('^')) {
      if (text.slice(1, prefix.length + 1) !== prefix) {
        throw new LookupError(
          `all lookup_options patterns must match a key starting with module name '${moduleName}'`,
        );
      }
    } else if (!text.startsWith(prefix)) {
      throw new LookupError(`all lookup_options keys must start with module name '${moduleName}'`);
    }
  }
  return options;
}
