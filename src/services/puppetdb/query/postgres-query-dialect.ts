/** The query language on PostgreSQL, whose regular expressions and `to_char` it is made of. */

import type { EntityDialect, QueryDialect } from './dialect.ts';
import { bound, type Fragment, fragment, raw } from './fragment.ts';

const entities: EntityDialect = {
  quote: (text) => `coalesce(to_json(${text})::text, 'null')`,
  jsonText: (json) => `${json}::text`,
  list: (element, order) => `string_agg(${element}, ','${order === undefined ? '' : ` order by ${order}`})`,
  elements: (json, alias) => `jsonb_array_elements(${json}) ${alias}(value)`,
  joinedPath: (path) =>
    `(select string_agg(step, '#~') from jsonb_array_elements_text((${path})::jsonb) step)`,
  leaves: (key, json) => ({
    source: `pdb_json_leaves(${key}, ${json}) leaf`,
    path: '(leaf.path collate "C")',
    value: 'leaf.value',
    type: 'leaf.type',
    depth: 'leaf.depth',
  }),
};

export function postgresQueryDialect(): QueryDialect {
  const number = (json: Fragment): Fragment =>
    fragment`case when jsonb_typeof(${json}) = 'number' then (${json} #>> '{}')::numeric end`;
  return {
    pattern: (posix) => posix,
    matches: (text, pattern) => fragment`${text} ~ ${bound(pattern)}`,
    at: (json, keys) => {
      if (keys.length === 0) return json;
      return keys.reduce<Fragment>(
        (value, key) =>
          typeof key === 'number'
            ? fragment`(${value} -> ${raw(String(key))})`
            : fragment`(${value} -> ${bound(key)}::text)`,
        json,
      );
    },
    equalsJson: (json, literal) => fragment`${json} = ${bound(literal)}::jsonb`,
    containsJson: (json, literal) => fragment`${json} @> ${bound(literal)}::jsonb`,
    comparesJson: (json, comparison, literal) =>
      fragment`${json} ${raw(comparison)} ${bound(JSON.stringify(literal))}::jsonb`,
    isNumber: (json) => fragment`jsonb_typeof(${json}) = 'number'`,
    number,
    text: (json) => fragment`(${json} #>> '{}')`,
    jsonText: (json) => fragment`${json}::text`,
    oneOf: (text, values) =>
      fragment`${text} in (select jsonb_array_elements_text(${bound(JSON.stringify(values))}::jsonb))`,
    // With `in` it would take half of all rows for found, and go through them.
    amongFew: (number, select) => fragment`${number} = any (array(${select}))`,
    someElement: (json, condition) =>
      fragment`exists (select 1 from jsonb_array_elements_text(${json}) element(value) where ${condition(raw('element.value'))})`,
    boolean: (value) => raw(String(value)),
    timeText: (time, mask) => fragment`to_char(${time}::timestamptz, ${bound(mask)})`,
    numberText: (value, mask) => fragment`to_char(${value}, ${bound(mask)})`,
    plainNumber: (value) => fragment`cast(${value} as double precision)`,
    noLimit: '',
    explain: (select) => fragment`explain (analyze, verbose, buffers, format json) ${select}`,
    entities,
  };
}
