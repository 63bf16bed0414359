/** Facts of a node as PuppetDB lists them. */

import type { Json } from '../../lib/json.ts';
import { keepNumber } from '../../lib/raw-json.ts';

export interface FoundFacts {
  readonly certname: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON text, whose numbers have the form that PuppetDB gave them (`4096.0`). */
  readonly exactValues: string;
}

/** @param text - JSON: a list of objects with `name` and `value` @returns `undefined` when there are none */
export function decodeFactRows(certname: string, text: string): FoundFacts | undefined {
  const rows = JSON.parse(text, keepNumber) as readonly { readonly name: string; readonly value: unknown }[];
  if (rows.length === 0) return undefined;
  const exactValues = JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
  return { certname, values: JSON.parse(exactValues) as FoundFacts['values'], exactValues };
}
