/** Values of Ruby in a Puppetfile. Symbols are JavaScript's registered ones, `nil` is `null`, hashes are maps. */

export type RubyValue = string | number | boolean | null | symbol | readonly RubyValue[] | RubyHash;

export type RubyHash = ReadonlyMap<RubyValue, RubyValue>;

/** The part of Ruby that is not understood here: real Ruby has to be asked. */
export class NotUnderstood extends Error {
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(what);
    this.name = 'NotUnderstood';
    this.offset = offset;
  }
}

/** An error that real Ruby would give, too. */
export class PuppetfileError extends Error {
  /** Where, in bytes; `undefined` when that is not known or in the message. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'PuppetfileError';
    this.offset = offset;
  }
}

export function isTruthy(value: RubyValue): boolean {
  return value !== null && value !== false;
}

export function isHash(value: RubyValue | undefined): value is RubyHash {
  return value instanceof Map;
}

export function isArray(value: RubyValue): value is readonly RubyValue[] {
  return Array.isArray(value);
}

/** The name of a symbol; `undefined` for everything else. */
export function symbolName(value: RubyValue | undefined): string | undefined {
  return typeof value === 'symbol' ? value.description : undefined;
}

/** As interpolation and `to_s` do. */
export function asText(value: RubyValue): string {
  if (value === null) return '';
  if (typeof value === 'symbol') return value.description ?? '';
  return typeof value === 'object' ? inspect(value) : String(value);
}

/** As `inspect` does (Ruby before 3.4). */
export function inspect(value: RubyValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'symbol') return `:${value.description}`;
  if (isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (isHash(value))
    return `{${Array.from(value, ([key, item]) => `${inspect(key)}=>${inspect(item)}`).join(', ')}}`;
  return String(value);
}

/** As `==` does. */
export function isEqual(left: RubyValue, right: RubyValue): boolean {
  if (left === right) return true;
  if (isArray(left) && isArray(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null));
  if (isHash(left) && isHash(right))
    return (
      left.size === right.size &&
      Array.from(left).every(([key, item]) => right.has(key) && isEqual(item, right.get(key) ?? null))
    );
  return false;
}
