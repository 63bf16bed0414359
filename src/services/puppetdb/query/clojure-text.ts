/** Values in the words of the reference's errors: as Clojure prints them. */

import { isClause, type Json } from './ast.ts';

/** Texts stand without quotes, but in lists and maps: `x`, `["=" "certname" nil]`, `{:field "certname"}`. */
export function clojureText(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : clojurePrinted(value);
}

/** As `pr-str`. */
export function clojurePrinted(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isClause(value)) return `[${value.map(clojurePrinted).join(' ')}]`;
  const members = Object.entries(value).map(([key, member]) => `:${key} ${clojurePrinted(member)}`);
  return `{${members.join(', ')}}`;
}
