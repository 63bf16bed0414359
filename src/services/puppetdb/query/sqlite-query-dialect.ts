/** The query language on SQLite: JSON is text, regular expressions are JavaScript's. */

import type { EntityDialect, QueryDialect } from './dialect.ts';
import { bound, fragment, raw } from './fragment.ts';
import { translatePosixPattern } from './posix-pattern.ts';
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
    pattern: translatePosixPattern,
    matches: (text, pattern) => fragment`regexp(${bound(pattern)}, ${text})`,
    at: (json, keys) => {
      if (keys.length === 0) return json;
      return fragment`(${json} -> ${bound(jsonPath(keys))})`;
    },
    equalsJson: (json, literal) => fragment`${json} = ${bound(literal)}`,
    isNumber: (json) => fragment`json_type(${json}) in ('integer', 'real')`,
    isText: (json) => fragment`json_type(${json}) = 'text'`,
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

/** Keys are texts of JSON in SQLite's paths: with its escapes. */
function jsonPath(keys: readonly (string | number)[]): string {
  return `$${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${JSON.stringify(key)}`)).join('')}`;
}
