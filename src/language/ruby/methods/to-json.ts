/** `to_json`, `JSON.generate` and `JSON.pretty_generate`, of data. */

import { Float, isArray, PuppetHash, rubyFloat, type Value } from '../../pcore/index.ts';
import { text } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { RubySymbol } from '../values/ruby-values.ts';

interface Layout {
  readonly indent: string;
  readonly space: string;
  readonly spaceBefore: string;
  /** Comes with indentation at the end; where it is absent, that is absent, too. */
  readonly objectEnd?: string;
  readonly arrayEnd?: string;
  /** 0: none. */
  readonly maxNesting: number;
}

const PLAIN: Layout = {
  indent: '',
  space: '',
  spaceBefore: '',
  maxNesting: 100,
};
const PRETTY: Layout = { ...PLAIN, indent: '  ', space: ' ', objectEnd: '\n', arrayEnd: '\n' };

/** @param args - the value, then perhaps options */
export function generateJson([value = null, options]: readonly Value[]): string {
  return render(value, withOptions(PLAIN, options), 0);
}

/** @param args - the value, then perhaps options */
export function generatePrettyJson([value = null, options]: readonly Value[]): string {
  return render(value, withOptions(PRETTY, options), 0);
}

const NAMES: Readonly<Record<string, keyof Omit<Layout, 'maxNesting'>>> = {
  indent: 'indent',
  space: 'space',
  space_before: 'spaceBefore',
  object_nl: 'objectEnd',
  array_nl: 'arrayEnd',
};

function withOptions(layout: Layout, options: Value | undefined): Layout {
  if (options === undefined || options === null) return layout;
  if (!(options instanceof PuppetHash)) return giveUp('such options of JSON');
  let made = layout;
  for (const [key, value] of options) {
    const name = key instanceof RubySymbol ? key.name : giveUp('such options of JSON');
    const known = NAMES[name];
    if (known !== undefined) made = value === null ? made : { ...made, [known]: text(value) };
    else if (name === 'max_nesting') made = { ...made, maxNesting: nestingOf(value) };
    else return giveUp('such options of JSON');
  }
  return made;
}

function nestingOf(value: Value): number {
  if (value === false || value === null) return 0;
  return typeof value === 'number' && value >= 0 ? value : giveUp('such options of JSON');
}

/** @param depth - of lists and hashes around it */
function render(value: Value, layout: Layout, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      if (isArray(value)) return list(value, layout, depth + 1);
      if (value instanceof PuppetHash) return object(value, layout, depth + 1);
      if (value instanceof Float) return float(value.value);
      return value instanceof RubySymbol ? quoted(value.name) : giveUp('such a value in JSON');
  }
}

function list(items: readonly Value[], layout: Layout, depth: number): string {
  const { arrayEnd, indent } = layout;
  const inner = (arrayEnd ?? '') + indent.repeat(depth);
  assertKnown(items.length, layout, depth);
  const parts = items.map((item) => inner + render(item, layout, depth));
  return `[${parts.join(',')}${ending(arrayEnd, indent, depth)}]`;
}

function object(hash: PuppetHash, layout: Layout, depth: number): string {
  const { indent, objectEnd, space, spaceBefore } = layout;
  const inner = (objectEnd ?? '') + indent.repeat(depth);
  assertKnown(hash.size, layout, depth);
  const parts = Array.from(
    hash,
    ([key, item]) => `${inner}${quoted(keyText(key))}${spaceBefore}:${space}${render(item, layout, depth)}`,
  );
  return `{${parts.join(',')}${ending(objectEnd, indent, depth)}}`;
}

function ending(end: string | undefined, indent: string, depth: number): string {
  return end === undefined ? '' : end + indent.repeat(depth - 1);
}

function assertKnown(size: number, { arrayEnd, maxNesting, objectEnd }: Layout, depth: number): void {
  if (maxNesting > 0 && depth > maxNesting) giveUp('JSON that is nested too deeply');
  // Versions of the library differ.
  if (size === 0 && (arrayEnd ?? objectEnd) !== undefined) giveUp('what is empty in pretty JSON');
}

function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return String(key);
  return key instanceof RubySymbol ? key.name : giveUp('such a key in JSON');
}

function float(value: number): string {
  const written = rubyFloat(value);
  // Versions of the library differ here, too.
  return Number.isFinite(value) && !written.includes('e') ? written : giveUp('such a float in JSON');
}

const LONE_SURROGATE = /\p{Cs}/u;

/** As JavaScript's: but U+2028 and its like are never escaped by either. */
function quoted(value: string): string {
  return LONE_SURROGATE.test(value) ? giveUp('a lone surrogate') : JSON.stringify(value);
}
