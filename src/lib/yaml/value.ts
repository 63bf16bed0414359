/** What a YAML text means to Ruby. */

/**
 * Integers are `number` where that is exact, else `bigint`; floats are always `YamlFloat`, so that `1.0` stays
 * told apart from `1`. Maps keep the order of their keys; equal keys are identical objects within one text, so
 * a `Map` finds them.
 */
export type YamlValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | YamlFloat
  | YamlSymbol
  | YamlBinary
  | readonly YamlValue[]
  | YamlMap;

export type YamlMap = ReadonlyMap<YamlValue, YamlValue>;

export class YamlFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A Ruby symbol: `:name`. */
export class YamlSymbol {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** `!!binary` */
export class YamlBinary {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Text together with how it was written, where that makes a difference: see `parseStyledYaml`. */
export class YamlText {
  readonly text: string;
  /** `block` is text behind `|`. */
  readonly style: 'plain' | 'double' | 'block';
  /** Where it begins, from 1. */
  readonly line: number;
  constructor(text: string, style: YamlText['style'], line: number) {
    this.text = text;
    this.style = style;
    this.line = line;
  }
}

/** As `YamlValue`, with `YamlText` for text that is neither in single quotes nor folded; keys of maps are text. */
export type StyledYaml =
  | null
  | boolean
  | string
  | number
  | bigint
  | YamlFloat
  | YamlText
  | readonly StyledYaml[]
  | ReadonlyMap<string, StyledYaml>;

export function isYamlMap(value: YamlValue): value is YamlMap {
  return value instanceof Map;
}

export function isYamlList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** Plain data as configuration files want it: floats as numbers, symbols as strings, keys as strings. */
export type YamlData =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | readonly YamlData[]
  | { readonly [key: string]: YamlData };

export function yamlToData(value: YamlValue): YamlData {
  if (value instanceof YamlFloat) return value.value;
  if (value instanceof YamlSymbol) return value.name;
  if (value instanceof YamlBinary) return value.bytes;
  if (isYamlList(value)) return value.map(yamlToData);
  if (!isYamlMap(value)) return value;
  return Object.fromEntries(
    Array.from(value, ([key, item]): [string, YamlData] => [String(yamlToData(key)), yamlToData(item)]),
  );
}
