import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseYaml } from './parse-yaml.ts';
import { type RenderableYaml, renderYaml, YamlObject } from './render-yaml.ts';
import { YamlBinary, YamlFloat } from './value.ts';

/** What `record-render.rb` made of its input: JSON of a value, and Ruby's YAML of it. */
const file = new URL('./rendered.json', import.meta.url);
const recorded: [RenderableYaml, string][] = JSON.parse(readFileSync(file, 'utf8'), fromJson);

describe('rendered YAML', () => {
  it.each(recorded.map(([value, yaml]) => [yaml, value] as const))('is as Ruby has it: %j', (yaml, value) => {
    expect(renderYaml(value)).toBe(yaml);
  });

  // The parser takes an indentation hint at the root for one column less.
  const readable = recorded.filter(([, yaml]) => !yaml.startsWith('--- |2'));
  it.each(readable.map(([value, yaml]) => [yaml, value] as const))('is read as it was: %j', (yaml, value) => {
    expect(parseYaml(yaml)).toEqual(value);
  });

  it('has objects and bytes with their tags', () => {
    const value = new YamlObject('S', new Map([['value', 'x']]));

    expect(renderYaml(value)).toBe('--- !ruby/object:S\nvalue: x\n');
    expect(renderYaml([value])).toBe('---\n- !ruby/object:S\n  value: x\n');
    expect(renderYaml(new YamlBinary(new Uint8Array([255, 0])))).toBe('--- !binary |-\n  /wA=\n');
  });
});

function fromJson(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source = '' } = context ?? {};
  if (typeof value === 'number')
    return /[.e]/.test(source) ? new YamlFloat(value) : Number.isSafeInteger(value) ? value : BigInt(source);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof YamlFloat) ? new Map(Object.entries(value)) : value;
}
