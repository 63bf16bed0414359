import { type IntegerValue, integer, isInteger } from '../value.ts';
import { puppetQuote } from '../values/quote.ts';

export type PathKey = string | IntegerValue;

/** `$['a'][0]` */
export function jsonPath(path: readonly PathKey[]): string {
  const parts = path.map((key) => `[${isInteger(key) ? key : puppetQuote(key)}]`);
  return `$${parts.join('')}`;
}

/** The keys of a path; `undefined` when the text is no path. */
export function parseJsonPath(text: string): readonly PathKey[] | undefined {
  if (!text.startsWith('$')) return undefined;
  const keys: PathKey[] = [];
  const step = /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.([A-Za-z_]\w*)/y;
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, single, double, index, name] = found;
    keys.push(index === undefined ? unescape(single ?? double ?? name ?? '') : integer(BigInt(index)));
  }
  return keys;
}

function unescape(text: string): string {
  return text.replace(/\\(['"\\])/g, '$1');
}
