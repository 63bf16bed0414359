/** Values for the variables that a template mentions: of fitting types mostly, of others sometimes. */

import type { Json } from '../../src/lib/json.ts';
import type { Random } from '../support/random-from.ts';

const MENTION =
  /@([a-z_]\w*)|lookupvar\(?\s*['"](?:::)?([\w:]+)['"]|scope(?:\.\[\]\(|\[)\s*['"](?:::)?([\w:]+)['"]/g;

/** @param facts - values that are known by name */
export function generatedVariables(
  template: string,
  facts: Readonly<Record<string, Json>>,
  random: Random,
): Record<string, Json> {
  const names = new Set<string>();
  for (const [, instance, looked, indexed] of template.matchAll(MENTION)) {
    const name = instance ?? looked ?? indexed;
    if (name !== undefined && /^[a-z_]/.test(name)) names.add(name);
  }
  const variables: Record<string, Json> = {};
  for (const name of names) {
    const fact = name === 'facts' ? facts : facts[name];
    if (fact !== undefined && random() < 0.7) variables[name] = fact;
    else {
      const value = valueFor(name, template, random);
      if (value !== null) variables[name] = value;
    }
  }
  return variables;
}

type Shape = 'hash' | 'array' | 'version' | 'number' | 'boolean' | 'text' | 'any';

function valueFor(name: string, template: string, random: Random): Json {
  const chance = random();
  if (chance < 0.12) return null;
  if (chance < 0.2) return any(random, 2);
  const shapes = shapesOf(name, template);
  return make(shapes[Math.floor(random() * shapes.length)] ?? 'any', random, 0);
}

function shapesOf(name: string, template: string): readonly Shape[] {
  const mention = `(?:@${name}\\b|['"](?:::)?${name}['"]\\s*[)\\]])`;
  const is = (rest: string) => new RegExp(mention + rest).test(template);
  const shapes: Shape[] = [];
  if (
    is(
      '(?:\\.\\w+)*\\.(?:each_pair|keys|values|has_key|key\\?|to_hash)|(?:\\.\\w+)*\\.each\\w*\\s*(?:do|\\{)\\s*\\|\\s*\\w+\\s*,',
    )
  )
    shapes.push('hash');
  if (is('\\[[\'"]')) shapes.push('hash');
  if (
    is('(?:\\.\\w+)*\\.(?:each|join|flatten|map|collect|compact|uniq|include|sort|first|any|reject|select)')
  )
    shapes.push('array');
  if (new RegExp(`versioncmp\\(?\\s*\\[?[^\\]\\n]*${name}`).test(template)) shapes.push('version', 'version');
  if (is('\\s*(?:>=|<=|>|<|\\+|-|\\*|/)\\s')) shapes.push('number', 'version');
  if (is('\\.to_i')) shapes.push('number', 'text');
  if (is('\\.(?:empty|length|nil)')) shapes.push('text', 'array');
  if (
    is('\\s*(?:==|!=)\\s*(?:true|false)') ||
    new RegExp(`(?:if|unless) @?${name}\\s*(?:-?%>|&&|and)`).test(template)
  )
    shapes.push('boolean');
  if (shapes.length === 0) shapes.push('text', 'text', 'number', 'any');
  return shapes;
}

const WORDS = [
  'alpha', 'beta', 'Gamma', '10.0.0.1', '::1', '/var/lib/x', 'a b', ' padded ', 'x=y', 'a,b,c', '1', '0', '007', '3.5',
  '-', 'true', 'on', 'absent', 'UNSET', 'undef', 'é ü', '日本', 'say "hi"', "it's", 'back\\slash', 'line\nbreak', '', '#{x}',
  'present', 'http://h.example.com:80/p', '*', '%d', '<%= x %>', 'Z', 'node1.example.com', 'https', 'tcp', 'default',
]; // biome-ignore format: a table

const KEYS = [
  'name', 'port', 'ip', 'options', 'path', 'type', 'host', 'value', 'key', 'ensure', 'comment', 'user', 'b', 'a', '10',
  'zone', 'default', 'address', 'directory', 'handler',
]; // biome-ignore format: a table

function make(shape: Shape, random: Random, depth: number): Json {
  const count = Math.floor(random() * 4);
  const item = (): Json => (depth < 2 && random() < 0.25 ? any(random, depth + 1) : scalar(random));
  switch (shape) {
    case 'hash':
      return Object.fromEntries(Array.from({ length: count }, () => [pick(KEYS, random), item()]));
    case 'array':
      return random() < 0.7
        ? Array.from({ length: count }, () => pick(WORDS, random))
        : Array.from({ length: count }, item);
    case 'version':
      return pick(['1.2.3', '2.4', '10.0', '2.4.18', '7', '0.25.4', '8.0.36', '22.04'], random);
    case 'number':
      return number(random);
    case 'boolean':
      return random() < 0.5;
    case 'text':
      return pick(WORDS, random);
    case 'any':
      return any(random, depth);
  }
}

function any(random: Random, depth: number): Json {
  const shapes: readonly Shape[] = ['hash', 'array', 'number', 'boolean', 'text', 'version'];
  return make(pick(shapes, random), random, depth + 1);
}

function scalar(random: Random): Json {
  const chance = random();
  if (chance < 0.08) return null;
  if (chance < 0.2) return random() < 0.5;
  return chance < 0.4 ? number(random) : pick(WORDS, random);
}

function number(random: Random): number {
  const chance = random();
  if (chance < 0.7) return Math.floor(random() * 70000) - 100;
  return chance < 0.9 ? Math.round(random() * 1000) / 100 + 0.001 : 2 ** Math.floor(random() * 52);
}

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
