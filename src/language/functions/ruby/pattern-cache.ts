/** Regular expressions that functions get as strings, compiled once for each version of an environment. */

import type { AttachmentKey } from '../../environment/index.ts';
import { RegexpValue } from '../../pcore/index.ts';
import type { CallContext } from '../function.ts';

const LARGEST_COUNT = 2000;

const patternsKey: AttachmentKey<Map<string, RegexpValue>> = { create: () => new Map() };

/**
 * `Regexp.compile(source)`.
 *
 * @param options - any of Ruby's `m`, `i`, `x`
 * @throws PuppetError with Ruby's text when the pattern is wrong
 */
export function patternFor(context: CallContext, source: string, options = ''): RegexpValue {
  const patterns = context.environment.attached(patternsKey);
  const key = options === '' ? source : `(?${options}:${source}\n)`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const plain = new RegexpValue(source);
  // The plain pattern is compiled first, so that an error shows what the user wrote.
  plain.compile();
  const pattern = options === '' ? plain : new RegexpValue(withOptions(source, options));
  if (patterns.size >= LARGEST_COUNT) patterns.clear();
  patterns.set(key, pattern);
  return pattern;
}

/** With `x` a comment may end the source: the line break keeps the parenthesis out of it. */
function withOptions(source: string, options: string): string {
  return options.includes('x') ? `(?${options}:${source}\n)` : `(?${options}:${source})`;
}
