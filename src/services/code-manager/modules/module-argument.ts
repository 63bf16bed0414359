/** Values that modules are declared with. Symbols are JavaScript's registered ones, `nil` is `null`, hashes are maps. */
export type ModuleArgument =
  | string
  | number
  | boolean
  | null
  | symbol
  | readonly ModuleArgument[]
  | ArgumentHash;

export type ArgumentHash = ReadonlyMap<ModuleArgument, ModuleArgument>;

/** As Ruby shows it (before 3.4). */
export function inspect(value: ModuleArgument): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'symbol') return `:${value.description}`;
  if (value instanceof Map)
    return `{${Array.from(value as ArgumentHash, ([key, item]) => `${inspect(key)}=>${inspect(item)}`).join(', ')}}`;
  return Array.isArray(value) ? `[${value.map(inspect).join(', ')}]` : String(value);
}
