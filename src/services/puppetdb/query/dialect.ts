/** What the query compiler needs of a database beyond plain SQL. */

import type { Fragment } from './fragment.ts';

export type Comparison = '>' | '<' | '>=' | '<=';

export interface QueryDialect {
  /**
   * Checks a pattern where the database does not do so itself.
   *
   * @returns the pattern
   * @throws QueryError in PostgreSQL's words
   */
  pattern(posix: string): string;
  /** Whether text matches. @param pattern - from `pattern`, perhaps with more around it */
  matches(text: Fragment, pattern: string): Fragment;
  /** A part of JSON, as JSON; NULL when it is missing. */
  at(json: Fragment, keys: readonly (string | number)[]): Fragment;
  /** @param literal - with its keys as jsonb has them */
  equalsJson(json: Fragment, literal: string): Fragment;
  /** Whether JSON contains a hash or a list. @param literal - JSON */
  containsJson(json: Fragment, literal: string): Fragment;
  /** Whether a value stands before or behind a literal in the order that PostgreSQL gives to values of all kinds. */
  comparesJson(json: Fragment, comparison: Comparison, literal: number | string | boolean): Fragment;
  isNumber(json: Fragment): Fragment;
  /** A JSON number as a number, NULL for everything else. */
  number(json: Fragment): Fragment;
  /** Scalars as text without quotes, the rest as JSON. */
  text(json: Fragment): Fragment;
  /** JSON as text. */
  jsonText(json: Fragment): Fragment;
  /** Whether text is one of many. */
  oneOf(text: Fragment, values: readonly string[]): Fragment;
  /** Whether a number is one of few that a select gives. */
  amongFew(number: Fragment, select: Fragment): Fragment;
  /** Whether a condition holds for one element of a JSON array of texts. */
  someElement(json: Fragment, condition: (element: Fragment) => Fragment): Fragment;
  boolean(value: boolean): Fragment;
  /** PostgreSQL's `to_char` of a time. */
  timeText(time: Fragment, mask: string): Fragment;
  /** PostgreSQL's `to_char` of a number. */
  numberText(number: Fragment, mask: string): Fragment;
  /** A number as both databases print it alike. */
  plainNumber(number: Fragment): Fragment;
  /** What stands for no limit before an offset. */
  readonly noLimit: string;
  /** The plan of a select, one row for each line. */
  explain(select: Fragment): Fragment;
  readonly entities: EntityDialect;
}

/** A table of the scalars within JSON, one row each, and its columns. */
export interface Leaves {
  readonly source: string;
  readonly path: string;
  readonly value: string;
  readonly type: string;
  readonly depth: string;
}

/** Pieces that entities are written with. All take and give SQL. */
export interface EntityDialect {
  /** Text or a number as JSON text; `null` for NULL. */
  quote(text: string): string;
  /** JSON as text. */
  jsonText(json: string): string;
  /** What rows say, separated by commas. */
  list(element: string, order?: string): string;
  /** The elements of a JSON array as a table `alias` with a column `value`. */
  elements(json: string, alias: string): string;
  leaves(key: string, json: string): Leaves;
  /** The keys of a path as the reference joins them: `os#~family`. */
  joinedPath(path: string): string;
}
