/** How much memory rows take, roughly. */

import type { Row } from './database.ts';

/** What one part of a long answer should be about, in characters. Four times as much outlives young collections: a third more CPU. */
export const partSize = 64 * 1024;

/** Rows in the first part, before anything is known of their size. */
export const firstRows = 20;

export function sizeOfText(text: string): number {
  return text.length + 16;
}

export function sizeOfRow(row: Row): number {
  let size = 0;
  for (const name in row) {
    const value = row[name];
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length + 16 : 16;
  }
  return size;
}
