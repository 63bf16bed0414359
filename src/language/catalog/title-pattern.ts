/** What a title says about the attributes of a native resource. */

import { failure } from './failure.ts';
import type { ResourceTypeInfo, TitlePattern } from './resource-type.ts';

const EVERYTHING = '(.*)';
const compiled = new WeakMap<TitlePattern, RegExp>();

/** Attributes read from the title. @throws PuppetError when no pattern of the type matches. */
export function parseTitle(type: ResourceTypeInfo | undefined, title: string): ReadonlyMap<string, string> {
  if (type === undefined) return new Map([['name', title]]);
  for (const pattern of type.titlePatterns) {
    const captures = match(pattern, title);
    if (captures !== undefined) return captures;
  }
  throw failure(`No set of title patterns matched the title "${title}".`);
}

function match(pattern: TitlePattern, title: string): ReadonlyMap<string, string> | undefined {
  const [attribute, ...more] = pattern.attributes;
  if (pattern.source === EVERYTHING && pattern.multiline && attribute !== undefined && more.length === 0) {
    return new Map([[attribute, title]]);
  }
  const captures = regularExpression(pattern).exec(title);
  if (captures === null) return undefined;
  const result = new Map<string, string>();
  for (const [index, name] of pattern.attributes.entries()) {
    const capture = captures[index + 1];
    if (capture !== undefined) result.set(name, capture);
  }
  return result;
}

/** Ruby's anchors in JavaScript: `^` and `$` are always per line, `\Z` stands before a last newline, too. */
function regularExpression(pattern: TitlePattern): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.source
    .replaceAll('\\A', '(?<![\\s\\S])')
    .replaceAll('\\Z', '(?=\\n?(?![\\s\\S]))')
    .replaceAll('\\z', '(?![\\s\\S])');
  const expression = new RegExp(source, pattern.multiline ? 'ms' : 'm');
  compiled.set(pattern, expression);
  return expression;
}
