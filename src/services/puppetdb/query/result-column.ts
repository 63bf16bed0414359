/** One field of a result: its name, where its value comes from, and how that is written as JSON. */

import { quoted } from '../../../lib/ordered-json.ts';
import type { RowEncoder } from '../../../platform/storage/index.ts';
import type { ColumnKind } from './entity.ts';
import type { Fragment } from './fragment.ts';
import { rowOrder } from './map-order.ts';

export type ResultKind = ColumnKind | 'number';

export interface ResultColumn {
  /** The key in the answer. */
  readonly key: string;
  readonly kind: ResultKind;
  readonly sql: Fragment;
  /** What is computed is answered first. */
  readonly isComputed?: boolean;
  /** Makes the keys within JSON come in the order in which the reference answers them. */
  readonly inOrder?: ((json: string) => string) | undefined;
}

/** Makes JSON of rows, whose values are in the order of `columns`. */
export function rowEncoder(columns: readonly ResultColumn[]): RowEncoder {
  // Names are written once for each row: they are made before.
  const named = columns.map((column, index) => ({ ...column, index }));
  const placed = [...named.filter(isComputed), ...named.filter((column) => !isComputed(column))];
  const order = rowOrder(placed.map(({ key }) => key));
  const cells = placed
    .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
    .map((cell, place) => ({ ...cell, before: `${place === 0 ? '' : ','}${JSON.stringify(cell.key)}:` }));
  return (values) => {
    let text = '{';
    for (const { before, index, kind, inOrder } of cells) {
      const value = encodeValue(kind, values[index]);
      text += before + (inOrder === undefined ? value : inOrder(value));
    }
    return `${text}}`;
  };
}

function isComputed(column: ResultColumn): boolean {
  return column.isComputed === true;
}

export function encodeValue(kind: ResultKind, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  switch (kind) {
    case 'text':
    case 'timestamp':
      return quoted(String(value));
    case 'boolean':
    case 'flag':
      return value === 1 || value === true ? 'true' : 'false';
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value);
    case 'json':
    case 'multi':
    case 'path':
    case 'tags':
    case 'list':
      return String(value);
    default:
      return kind satisfies never;
  }
}
