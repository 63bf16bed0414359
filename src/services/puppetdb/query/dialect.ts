/** What the query compiler needs of a database beyond plain SQL. */

import { bound, type Fragment, fragment, raw } from './fragment.ts';

export interface QueryDialect {
  /** Whether text matches; the pattern is in JavaScript's syntax. */
  matches(text: Fragment, pattern: string): Fragment;
  /** A part of JSON, as JSON text; NULL where there is none. */
  at(json: Fragment, keys: readonly (string | number)[]): Fragment;
  isNumber(json: Fragment): Fragment;
  isText(json: Fragment): Fragment;
  /** The number that JSON text is. */
  number(json: Fragment): Fragment;
  /** Scalars as text without quotes, the rest as JSON. */
  text(json: Fragment): Fragment;
  /** Whether text is one of many. */
  oneOf(text: Fragment, values: readonly string[]): Fragment;
  /** Whether a condition holds for one element of a JSON array of texts. */
  someElement(json: Fragment, condition: (element: Fragment) => Fragment): Fragment;
}

export function sqliteQueryDialect(): QueryDialect {
  return {
    matches: (text, pattern) => fragment`regexp(${bound(pattern)}, ${text})`,
    at: (json, keys) => {
      if (keys.length === 0) return json;
      const path = jsonPath(keys);
      return path === undefined ? raw('null') : fragment`(${json} -> ${bound(path)})`;
    },
    isNumber: (json) => fragment`json_type(${json}) in ('integer', 'real')`,
    isText: (json) => fragment`json_type(${json}) = 'text'`,
    number: (json) => fragment`(${json} ->> '$')`,
    text: (json) => fragment`case when ${json} in ('true', 'false') then ${json} else ${json} ->> '$' end`,
    oneOf: (text, values) =>
      fragment`${text} in (select wanted.value from json_each(${bound(JSON.stringify(values))}) wanted)`,
    someElement: (json, condition) =>
      fragment`exists (select 1 from json_each(${json}) element where ${condition({ parts: ['element.value'], values: [] })})`,
  };
}

/** SQLite's JSON paths have no escapes within quotes: a key with a quote in it is never found. */
function jsonPath(keys: readonly (string | number)[]): string | undefined {
  if (keys.some((key) => typeof key === 'string' && key.includes('"'))) return undefined;
  return `$${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `."${key}"`)).join('')}`;
}
