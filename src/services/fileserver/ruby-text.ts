/** Values as Ruby prints them in answers to clients. */

/** `Time#to_s` in UTC: `2026-11-21 09:20:32 +0000`. */
export function rubyTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
}

/** `Hash#inspect` of query parameters: `{:recurse=>true, :ignore=>[".git", ".hg"]}`. */
export function inspectOptions(options: ReadonlyMap<string, readonly string[]>): string {
  const items = [...options].map(([name, values]) => {
    const inspected = values.map(inspectParameter);
    return `:${name}=>${inspected.length === 1 ? inspected[0] : `[${inspected.join(', ')}]`}`;
  });
  return `{${items.join(', ')}}`;
}

function inspectParameter(value: string): string {
  return /^(true|false|\d+)$/.test(value) ? value : JSON.stringify(value);
}
