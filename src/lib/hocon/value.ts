/** What a HOCON text means once it is resolved. */

/** Integers are `bigint`, floats are `number`, objects keep the order in which their keys first appeared. */
export type HoconValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly HoconValue[]
  | ReadonlyMap<string, HoconValue>;

/** The same as plain data, for configuration files: integers and floats are both `number`. */
export type HoconData =
  | null
  | boolean
  | string
  | number
  | readonly HoconData[]
  | { readonly [key: string]: HoconData };

/** A HOCON text that cannot be read; `line` counts from 1, 0 when the mistake has no place. */
export class HoconError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(line === 0 ? message : `${message} (line: ${line})`);
    this.name = 'HoconError';
    this.line = line;
  }
}

export function isHoconMap(value: HoconValue | undefined): value is ReadonlyMap<string, HoconValue> {
  return value instanceof Map;
}

export function isHoconList(value: HoconValue | undefined): value is readonly HoconValue[] {
  return Array.isArray(value);
}

/** @returns plain data; keys come out in the order of JavaScript's objects */
export function hoconToData(value: HoconValue): HoconData {
  if (typeof value === 'bigint') return Number(value);
  if (isHoconList(value)) return value.map(hoconToData);
  if (!isHoconMap(value)) return value as string | number | boolean | null;
  const entries = Array.from(value, ([key, item]): [string, HoconData] => [key, hoconToData(item)]);
  return Object.fromEntries(entries);
}
