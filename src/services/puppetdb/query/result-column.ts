/** One field of a result: its name, where its value comes from, and how that is written as JSON. */

import type { Row } from '../../../platform/storage/index.ts';
import type { ColumnKind } from './entity.ts';
import type { Fragment } from './fragment.ts';

export type ResultKind = ColumnKind | 'number';

export interface ResultColumn {
  /** The key in the answer. */
  readonly key: string;
  readonly kind: ResultKind;
  readonly sql: Fragment;
}

/** A row as JSON; columns of the row are `c0`, `c1`, ... in the order of `columns`. */
export function encodeRow(columns: readonly ResultColumn[], row: Row): string {
  const members = columns.map(({ key, kind }, index) => {
    return `${JSON.stringify(key)}:${encodeValue(kind, row[`c${index}`])}`;
  });
  return `{${members.join(',')}}`;
}

export function encodeValue(kind: ResultKind, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  switch (kind) {
    case 'text':
    case 'timestamp':
      return JSON.stringify(String(value));
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
