/** What a title says about the attributes of a native resource. */

import { RegexpValue } from '../pcore/index.ts';
import { failure } from './failure.ts';
import type { ResourceTypeInfo, TitleConversion, TitlePattern } from './resource-type.ts';

const EVERYTHING = '(.*)';
const compiled = new WeakMap<TitlePattern, RegexpValue>();

/** Attributes read from the title. @throws PuppetError when no pattern of the type matches. */
export function parseTitle(type: ResourceTypeInfo | undefined, title: string): ReadonlyMap<string, string> {
  if (type === undefined) return new Map([['name', title]]);
  for (const pattern of type.titlePatterns) {
    const captures = match(pattern, title);
    if (captures !== undefined) return captures;
  }
  if (type.titlePatterns.length === 0 && type.namevars.length > 1) {
    throw failure('you must specify title patterns when there are two or more key attributes');
  }
  throw failure(`No set of title patterns matched the title "${title}".`);
}

function match(pattern: TitlePattern, title: string): ReadonlyMap<string, string> | undefined {
  const { attributes, conversions } = pattern;
  const [attribute, ...more] = attributes;
  const isEverything = pattern.source === EVERYTHING && pattern.multiline && conversions === undefined;
  if (isEverything && attribute !== undefined && more.length === 0) return new Map([[attribute, title]]);
  const found = expression(pattern).exec(title);
  if (found === null) return undefined;
  const captures = found.groups === undefined ? found.slice(1) : Object.values(found.groups);
  const result = new Map<string, string>();
  for (const [index, name] of attributes.entries()) {
    const capture = captures[index] ?? null;
    const convert = conversions?.[index];
    const value = convert === undefined ? capture : converted(convert, capture, found[0]);
    if (value !== null) result.set(name, value);
  }
  return result;
}

function converted(convert: TitleConversion, capture: string | null, title: string): string | null {
  try {
    return convert(capture);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure(`The title "${title}" could not be read: ${reason}`);
  }
}

function expression(pattern: TitlePattern): RegexpValue {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const { source, multiline, ignoreCase = false, extended = false } = pattern;
  const flags = `${multiline ? 'm' : ''}${ignoreCase ? 'i' : ''}${extended ? 'x' : ''}`;
  // A comment in an extended pattern ends with its line.
  const wrapped = flags === '' ? source : `(?${flags}:${source}${extended ? '\n' : ''})`;
  const value = new RegexpValue(wrapped);
  compiled.set(pattern, value);
  return value;
}
