/** Many rows on their way to the database: a few at a time, so that what holds them stays small at either end. */

/** Some 100 KB of JSON of most kinds of rows. */
const rowsAtOnce = 200;

export interface RowPiece {
  /** The number of its first row, from 0. */
  readonly start: number;
  /** JSON: an array of arrays. */
  readonly json: string;
}

/** The text of each piece is made when it is asked for. */
export function* rowPieces(rows: readonly (readonly unknown[])[]): Iterable<RowPiece> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    yield { start, json: JSON.stringify(rows.slice(start, start + rowsAtOnce)) };
  }
}
