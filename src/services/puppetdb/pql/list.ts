/** Lists of anything. */

import type { Json } from '../query/ast.ts';
import { type Reader, space } from './reader.ts';

/** Items separated by commas. @param end - what closes the list; it is consumed */
export function readList(reader: Reader, readItem: (reader: Reader) => Json, end: string): readonly Json[] {
  const items: Json[] = [];
  for (;;) {
    reader.skipSpace();
    items.push(readItem(reader));
    const hadSpace = reader.skipSpace();
    if (reader.take(end)) return items;
    reader.expect(end, ...(hadSpace ? [] : [space]), ',');
    if (!reader.take(',')) throw reader.failure();
  }
}
