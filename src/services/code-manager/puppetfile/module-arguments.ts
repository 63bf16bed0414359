import type { DeclaredModule } from './evaluate-puppetfile.ts';
import { isHash, type RubyValue } from './ruby-value.ts';

/** The second argument of `mod`. What is neither a hash nor a version means nothing. */
export function argumentsOf(value: RubyValue): DeclaredModule['args'] {
  if (value === null || typeof value === 'string' || typeof value === 'symbol') return value;
  return isHash(value) ? value : null;
}
