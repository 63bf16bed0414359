/** What a title says about the attributes of a native resource. */

import { RegexpValue } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { failure } from './failure.ts';
import type { ResourceTypeInfo, TitleConversion, TitlePattern } from './resource-type.ts';

const EVERYTHING = '(.*)';
const compiled = new WeakMap<TitlePattern, RegexpValue>();

/**
 * Attributes read from the title: `null` for what a pattern has left open.
 *
 * @throws PuppetError when no pattern of the type matches
 */
export function parseTitle(
  type: ResourceTypeInfo | undefined,
  title: string,
): ReadonlyMap<string, string | null> {
  if (type === undefined) return new Map([['name', title]]);
  if (type.titlePatternsProblem !== undefined) throw failure(type.titlePatternsProblem);
  for (const pattern of type.titlePatterns) {
    const captures = match(pattern, title);
    if (captures !== undefined) return captures;
  }
  if (type.titlePatterns.length === 0 && type.namevars.length > 1) {
    throw failure('you must specify title patterns when there are two or more key attributes');
  }
  throw failure(`No set of title patterns matched the title "${title}".`);
}

/** The usual type: its one key attribute is the title as it is. */
export function isTitleTheKey({ namevars, titlePatterns }: ResourceTypeInfo): boolean {
  const [pattern, second] = titlePatterns;
  if (pattern === undefined || second !== undefined || namevars.length !== 1) return false;
  return isEverything(pattern) && pattern.attributes.length === 1 && pattern.attributes[0] === namevars[0];
}

function isEverything({ conversions, multiline, source }: TitlePattern): boolean {
  return source === EVERYTHING && multiline && conversions === undefined;
}

function match(pattern: TitlePattern, title: string): ReadonlyMap<string, string | null> | undefined {
  const { attributes, conversions } = pattern;
  const [attribute, ...more] = attributes;
  if (isEverything(pattern) && attribute !== undefined && more.length === 0)
    return new Map([[attribute, title]]);
  const found = expression(pattern).exec(title);
  if (found === null) return undefined;
  const captures = found.groups === undefined ? found.slice(1) : Object.values(found.groups);
  const result = new Map<string, string | null>();
  for (const [index, name] of attributes.entries()) {
    const capture = captures[index] ?? null;
    const convert = conversions?.[index];
    result.set(name, convert === undefined ? capture : converted(convert, capture, found[0]));
  }
  return result;
}

function converted(convert: TitleConversion, capture: string | null, title: string): string | null {
  try {
    return convert(capture);
  } catch (error) {
    if (error instanceof PuppetError) throw error;
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
