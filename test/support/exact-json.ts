/** JSON in which `1` and `1.0` differ and large integers survive. */

export type ExactJson =
  | null
  | boolean
  | string
  | ExactNumber
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson };

/** A number as text, in one spelling for each value. */
export class ExactNumber {
  readonly text: string;

  constructor(source: string) {
    this.text = /^-?\d+$/.test(source) ? BigInt(source).toString() : floatText(Number(source));
  }
}

function floatText(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export function parseExactJson(text: string): ExactJson {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new ExactNumber(context?.source ?? String(value)) : value,
  ) as ExactJson;
}

export function isObject(json: ExactJson | undefined): json is { readonly [key: string]: ExactJson } {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber);
}

export function isList(json: ExactJson | undefined): json is readonly ExactJson[] {
  return Array.isArray(json);
}

/** One line with sorted keys: the identity of a value. */
export function compact(json: ExactJson | undefined): string {
  if (json === undefined) return '(none)';
  if (json instanceof ExactNumber) return json.text;
  if (isList(json)) return `[${json.map(compact).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = Object.keys(json)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${compact(json[key])}`);
  return `{${entries.join(',')}}`;
}

/** Rewrites every string, keys included. */
export function mapStrings(json: ExactJson, change: (text: string) => string): ExactJson {
  if (typeof json === 'string') return change(json);
  if (isList(json)) return json.map((item) => mapStrings(item, change));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [change(key), mapStrings(item, change)]),
  );
}
