/** What a lookup has found, as people want to see it. */

import {
  BinaryValue,
  ByteString,
  Float,
  isArray,
  isDefault,
  PuppetHash,
  plainText,
  rubyFloat,
  SensitiveValue,
  stringify,
  textOf,
  type Value,
} from '../../language/pcore/index.ts';
import {
  type RenderableYaml,
  renderYaml,
  YamlBinary,
  YamlFloat,
  YamlObject,
  YamlSymbol,
} from '../../lib/yaml/index.ts';

/**
 * @returns without the end of the last line
 * @throws PuppetError for bytes that are not UTF-8 but in YAML, where they are `!binary`
 */
export function renderFound(value: Value, format: 's' | 'json' | 'yaml'): string {
  if (format === 's') return textOf(value) ?? plainText(value);
  return format === 'json' ? jsonText(value) : renderYaml(yamlOf(value)).trimEnd();
}

/** Who asks for a secret on the command line gets it, as from the reference. */
function yamlOf(value: Value): RenderableYaml {
  if (value === null || typeof value !== 'object') return typeof value === 'symbol' ? String(value) : value;
  if (value instanceof Float) return new YamlFloat(value.value);
  if (isArray(value)) return value.map(yamlOf);
  if (value instanceof PuppetHash)
    return new Map(Array.from(value, ([key, item]) => [yamlOf(key), yamlOf(item)] as const));
  if (isDefault(value)) return new YamlSymbol('default');
  if (value instanceof BinaryValue) return new YamlBinary(value.bytes);
  if (value instanceof ByteString) return value.isAscii ? value.text : new YamlBinary(value.bytes);
  if (!(value instanceof SensitiveValue)) return stringify(value);
  const className = 'Puppet::Pops::Types::PSensitiveType::Sensitive';
  return new YamlObject(className, new Map([['value', yamlOf(value.unwrap())]]));
}

function jsonText(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (!(value instanceof PuppetHash)) return JSON.stringify(textOf(value) ?? stringify(value));
  const members = Array.from(
    value,
    ([key, item]) => `${JSON.stringify(textOf(key) ?? stringify(key))}:${jsonText(item)}`,
  );
  return `{${members.join(',')}}`;
}
