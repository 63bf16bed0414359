import { fault, isArray, type Value } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { conversionName } from '../ruby/format-string.ts';

const SAFE = /^[a-zA-Z0-9@%_+=:,./-]+$/;
const DANGEROUS_IN_DOUBLE_QUOTES = /[!"`$\\]/;

/** `shellquote(*words)`: each word quoted for a Bourne shell where it must be, joined with spaces; arrays count as their elements. */
export const shellquote = defineLegacyFunction({
  name: 'shellquote',
  bytes: 'kept',
  arity: -1,
  call: (_context, words) => flatten(words).map(quote).join(' '),
});

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (isArray(value) ? flatten(value) : [value]));
}

function quote(value: Value): string {
  if (typeof value !== 'string') throw fault(`undefined method \`length' for ${conversionName(value)}`);
  if (SAFE.test(value)) return value;
  if (!DANGEROUS_IN_DOUBLE_QUOTES.test(value)) return `"${value}"`;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[!"`$\\]/g, '\\$&')}"`;
}
