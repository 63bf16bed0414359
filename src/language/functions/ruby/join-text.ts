import { isArray, type Value } from '../../pcore/index.ts';
import { rubyText } from './text.ts';

/** `Array#join`: nested arrays are joined in the same way, undef gives nothing. */
export function joinText(values: readonly Value[], separator: string): string {
  return values
    .map((value) => (isArray(value) ? joinText(value, separator) : rubyText(value)))
    .join(separator);
}
