/** The answers of external node classifiers. */

import type { JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  isYamlList,
  isYamlMap,
  parseYaml,
  YamlError,
  YamlFloat,
  YamlSymbol,
  type YamlValue,
  yamlAsJson,
  yamlToData,
} from '../../lib/yaml/index.ts';

/** What a classifier says of a node. */
export interface Classification {
  /** Class -> parameters, `null` where none are given. */
  readonly classes: Readonly<Record<string, JsonObject | null>>;
  /** The classifier gave names alone, as a list. */
  readonly listsClasses: boolean;
  readonly parameters: JsonObject;
  /** `{"classes", "parameters"}` as JSON text, numbers in the form that the classifier gave them. */
  readonly exact: string;
  readonly environment?: string;
}

/**
 * Reads the YAML that a classifier printed.
 *
 * @throws ServiceError `compile-failed` in the reference's words
 */
export function decodeClassification(certname: string, text: string): Classification {
  const answer = members(certname, text);
  const classes = decodeClasses(answer.get('classes'));
  const parameters = decodeParameters(answer.get('parameters'));
  const environment = environmentOf(answer.get('environment'));
  const exact = readable(certname, () =>
    yamlAsJson(
      new Map<YamlValue, YamlValue>([
        ['classes', classes],
        ['parameters', parameters],
      ]),
    ),
  );
  return {
    ...(JSON.parse(exact) as Pick<Classification, 'classes' | 'parameters'>),
    listsClasses: isYamlList(answer.get('classes') ?? null),
    exact,
    ...(environment === undefined ? {} : { environment }),
  };
}

function members(certname: string, text: string): ReadonlyMap<string, YamlValue> {
  // As Ruby has it, nothing is false.
  return readable(certname, () => named(parseYaml(text) ?? false));
}

/** @throws ServiceError in the reference's words when the text cannot be read */
function readable<T>(certname: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof ServiceError)) throw error;
    const detail = error instanceof YamlError ? error.messageFor('<unknown>') : error.message;
    throw refused(`Could not load external node results for ${certname}: ${detail}`);
  }
}

function named(value: YamlValue): ReadonlyMap<string, YamlValue> {
  if (isYamlList(value)) return named(new Map(value.flatMap(pair)));
  if (!isYamlMap(value)) throw refused(`undefined method \`inject' for ${inspect(value)}`);
  const byName = new Map<string, YamlValue>();
  for (const [key, item] of value) {
    if (typeof key !== 'string' && !(key instanceof YamlSymbol)) throw refusedKey(key);
    byName.set(textOf(key), item);
  }
  return byName;
}

/** Of an item of a list Ruby takes what `[0]` and `[1]` give: of a text characters, which name nothing that counts. */
function pair(item: YamlValue): readonly (readonly [YamlValue, YamlValue])[] {
  if (isYamlList(item)) return [[item[0] ?? null, item[1] ?? null]];
  if (isYamlMap(item)) return [[item.get(0) ?? null, item.get(1) ?? null]];
  if ((typeof item === 'string' || item instanceof YamlSymbol) && textOf(item) !== '') return [];
  if (typeof item === 'string') throw refusedKey(null);
  if (typeof item === 'number' || typeof item === 'bigint') throw refusedKey(item);
  throw refused(`undefined method \`[]' for ${inspect(item)}`);
}

function refusedKey(key: YamlValue): ServiceError {
  return refused(`key is a ${rubyClass(key)}, not a string or symbol`);
}

function decodeClasses(value: YamlValue = null): YamlValue {
  if (value === null || value === false) return new Map();
  if (isYamlList(value)) return new Map(value.map((name) => [className(name), null]));
  if (isYamlMap(value))
    return new Map(Array.from(value, ([name, parameters]) => [className(name), classParameters(parameters)]));
  // What stands for classes is a tag, too, before anybody looks at it.
  if (typeof value === 'string' && !/^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$/u.test(value))
    throw refused(`Invalid tag '${value}'`);
  throw refused(`undefined method \`collect' for ${inspect(value)}`);
}

/** The name of a class; an invalid name fails when the compile looks for the class. */
function className(value: YamlValue): string {
  if (isYamlMap(value)) throw refused(`Invalid tag '${inspected(value)}'`);
  if (value === null || typeof value === 'boolean') {
    throw refused(`undefined method \`[]' for ${inspect(value)}`);
  }
  return isYamlList(value) ? inspected(value) : textOf(value);
}

function classParameters(value: YamlValue): YamlValue {
  if (value === null || value === false || value === '') return null;
  if (isYamlList(value) && value.length === 0) return null;
  if (isYamlMap(value)) return value;
  if (isYamlList(value)) throw refused(`undefined method \`name' for ${inspect(value[0] ?? null)}`);
  const method = typeof value === 'string' || value instanceof YamlSymbol ? 'each' : 'empty?';
  throw refused(`undefined method \`${method}' for ${inspect(value)}`);
}

function decodeParameters(value: YamlValue = null): YamlValue {
  if (value === null || value === false) return new Map();
  if (isYamlList(value)) throw refused('no implicit conversion of String into Integer');
  if (typeof value === 'string') throw refused('string not matched');
  if (!isYamlMap(value)) throw refused(`undefined method \`[]=' for ${inspect(value)}`);
  // The environment is what the answer says beside the parameters, or what was asked for.
  return new Map([...value].filter(([name]) => name !== 'environment'));
}

function environmentOf(value: YamlValue = null): string | undefined {
  if (value === null || value === false) return undefined;
  if (typeof value === 'string' || value instanceof YamlSymbol) return textOf(value);
  throw refused(`undefined method \`name' for ${inspect(value)}`);
}

function textOf(value: YamlValue): string {
  return String(yamlToData(value));
}

/** A value as Ruby's complaints name it. */
function inspect(value: YamlValue): string {
  return `${inspected(value)}:${rubyClass(value)}`;
}

function inspected(value: YamlValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof YamlSymbol) return `:${textOf(value)}`;
  if (isYamlList(value)) return `[${value.map(inspected).join(', ')}]`;
  if (!isYamlMap(value)) return textOf(value);
  return `{${Array.from(value, ([key, item]) => `${inspected(key)}=>${inspected(item)}`).join(', ')}}`;
}

function rubyClass(value: YamlValue): string {
  if (value === null) return 'NilClass';
  if (value === true) return 'TrueClass';
  if (value === false) return 'FalseClass';
  if (typeof value === 'number' || typeof value === 'bigint') return 'Integer';
  if (value instanceof YamlFloat) return 'Float';
  if (value instanceof YamlSymbol) return 'Symbol';
  if (isYamlList(value)) return 'Array';
  return isYamlMap(value) ? 'Hash' : 'String';
}

function refused(message: string): ServiceError {
  return new ServiceError('compile-failed', message);
}
