/** The query language on SQLite: JSON is text, regular expressions are matched by `PosixPattern`. */

import { PatternError, PosixPattern } from '../../../lib/posix-pattern/index.ts';
import type { Comparison, EntityDialect, QueryDialect } from './dialect.ts';
import { bound, type Fragment, fragment, raw } from './fragment.ts';
import { QueryError } from './query-error.ts';
import { sqliteNumberText, sqliteTimeText } from './sqlite-to-char.ts';

const entities: EntityDialect = {
  quote: (text) => `json_quote(${text})`,
  jsonText: (json) => json,
  list: (element, order) => `group_concat(${element}${order === undefined ? '' : ` order by ${order}`})`,
  elements: (json, alias) => `json_each(${json}) ${alias}`,
  joinedPath: (path) => `(select group_concat(step.value, '#~') from json_each(${path}) step)`,
  leaves: (key, json) => ({
    source: `json_each(json_leaves(${key}, ${json})) leaf`,
    path: "(leaf.value -> 'path')",
    value: "(leaf.value -> 'value')",
    type: "(leaf.value ->> 'type')",
    depth: "(json_array_length(leaf.value, '$.path') - 1)",
  }),
};

export function sqliteQueryDialect(): QueryDialect {
  return {
    pattern: checkedPattern,
    matches: (text, pattern) => fragment`regexp(${bound(pattern)}, ${text})`,
    at: (json, keys) => {
      if (keys.length === 0) return json;
      return fragment`(${json} -> ${bound(jsonPath(keys))})`;
    },
    equalsJson: (json, literal) => fragment`${json} = ${bound(literal)}`,
    containsJson: (json, literal) => fragment`json_contains(${json}, ${bound(literal)})`,
    comparesJson,
    isNumber: (json) => fragment`json_type(${json}) in ('integer', 'real')`,
    number: (json) => fragment`case when json_type(${json}) in ('integer', 'real') then ${json} ->> '$' end`,
    text: (json) => fragment`case when ${json} in ('true', 'false') then ${json} else ${json} ->> '$' end`,
    jsonText: (json) => json,
    oneOf: (text, values) =>
      fragment`${text} in (select wanted.value from json_each(${bound(JSON.stringify(values))}) wanted)`,
    amongFew: (number, select) => fragment`${number} in (${select})`,
    someElement: (json, condition) =>
      fragment`exists (select 1 from json_each(${json}) element where ${condition(raw('element.value'))})`,
    boolean: (value) => raw(value ? '1' : '0'),
    timeText: sqliteTimeText,
    numberText: sqliteNumberText,
    plainNumber: (number) => number,
    noLimit: 'limit -1',
    explain: (select) => fragment`explain query plan ${select}`,
    entities,
  };
}

/** @throws QueryError in the words of PostgreSQL */
function checkedPattern(pattern: string): string {
  try {
    void new PosixPattern(pattern);
    return pattern;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new QueryError(`ERROR: invalid regular expression: ${error.message}`);
  }
}

/** From the first to the last; an empty list comes before everything. */
const ranks: Readonly<Record<string, number>> = {
  null: 1,
  text: 2,
  integer: 3,
  real: 3,
  true: 4,
  false: 4,
  array: 5,
  object: 6,
};

const rankCases = Object.entries(ranks).map(([type, rank]) => `when '${type}' then ${rank}`);

function comparesJson(json: Fragment, comparison: Comparison, literal: number | string | boolean): Fragment {
  const own =
    ranks[typeof literal === 'string' ? 'text' : typeof literal === 'number' ? 'real' : 'true'] ?? 0;
  const rank = fragment`case when ${json} = '[]' then 0 else case json_type(${json}) ${raw(rankCases.join(' '))} end end`;
  const value = bound(typeof literal === 'boolean' ? Number(literal) : literal);
  const [operator] = comparison;
  return fragment`case when ${rank} = ${raw(String(own))} then ${json} ->> '$' ${raw(comparison)} ${value}
    else ${rank} ${raw(operator ?? comparison)} ${raw(String(own))} end`;
}

/** Keys are texts of JSON in SQLite's paths: with its escapes. */
function jsonPath(keys: readonly (string | number)[]): string {
  return `$${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${JSON.stringify(key)}`)).join('')}`;
}
