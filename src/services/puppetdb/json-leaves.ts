/** The scalars within JSON with their paths, as a function of PostgreSQL; SQLite's connections bring one along. */

/**
 * `pdb_json_leaves(key, json)`: one row for each scalar.
 *
 * - `path`: JSON text of the keys and indexes, without spaces
 * - `value`: the scalar
 * - `type`: `string`, `integer`, `float`, `boolean` or `null`
 * - `depth`: the number of keys less one
 */
export const jsonLeavesFunction = `create function pdb_json_leaves(key text, json jsonb)
returns table (path text, value jsonb, type text, depth integer)
language sql immutable parallel safe as $$
  with recursive walk(path, value, depth) as (
    select '[' || to_json(key)::text, json, 0
    union all
    select walk.path || ',' || item.key, item.value, walk.depth + 1
    from walk cross join lateral (
      select to_json(member.key)::text as key, member.value as value
      from jsonb_each(case jsonb_typeof(walk.value) when 'object' then walk.value else '{}' end) member
      union all
      select (number - 1)::text, element
      from jsonb_array_elements(case jsonb_typeof(walk.value) when 'array' then walk.value else '[]' end)
        with ordinality as elements(element, number)
    ) item
    where jsonb_typeof(walk.value) in ('object', 'array')
  )
  select path || ']' collate "C", value,
    case jsonb_typeof(value)
      when 'number' then case when value::text ~ '^-?[0-9]+$' then 'integer' else 'float' end
      else jsonb_typeof(value)
    end,
    depth
  from walk where jsonb_typeof(value) not in ('object', 'array')
$$`;
