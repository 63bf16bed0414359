import { type RenderableYaml, renderYaml, YamlFloat, YamlSymbol } from '../../../lib/yaml/index.ts';
import { Float, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { giveUp } from '../signals.ts';
import { RubySymbol } from '../values/ruby-values.ts';

/** Ruby's `to_yaml`, of data. Values that are there twice are written twice, as they are where they have been copied. */
export function toYaml(value: Value, options: Value | undefined): string {
  const isPlain = options === undefined || (options instanceof PuppetHash && options.size === 0);
  return isPlain ? renderYaml(yamlOf(value)) : giveUp('to_yaml with options');
}

function yamlOf(value: Value): RenderableYaml {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Float) return new YamlFloat(value.value);
  if (value instanceof RubySymbol) return new YamlSymbol(value.name);
  if (isArray(value)) return value.map(yamlOf);
  if (!(value instanceof PuppetHash)) return giveUp('to_yaml of such a value');
  return new Map(Array.from(value, ([key, item]) => [yamlOf(key), yamlOf(item)] as const));
}
