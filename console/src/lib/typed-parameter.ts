/** Checks typed values of class parameters against common types. The compile checks all types. */

import { typedValue } from './group-edits.ts';
import { editorOf, type Read, readValue } from './value-editor.ts';

/**
 * @param type - a type expression; absent for a parameter that is not in the code
 * @returns the value of the text, or why it is invalid
 */
export function readTyped(type: string | undefined, text: string): Read {
  // Values may refer to facts, which differ for each node.
  if (type === undefined || text.includes('${')) return { kind: 'value', value: typedValue(text) };
  const read = readValue(editorOf(type).editor, text);
  if (read.kind !== 'value') return read;
  const message = mistakeIn(type, read.value);
  return message === undefined ? read : { kind: 'mistake', message };
}

function mistakeIn(type: string, value: unknown): string | undefined {
  const { inner, name } = headOf(type);
  switch (name) {
    case 'Optional':
      return value === null || inner[0] === undefined ? undefined : mistakeIn(inner[0], value);
    case 'Variant': {
      const found = inner.map((each) => mistakeIn(each, value));
      return found.includes(undefined) ? undefined : found[0];
    }
    case 'Array':
      return arrayMistake(inner, value);
    case 'Hash':
    case 'Struct':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? undefined
        : 'This is not a hash: {"name": "value"}';
    case 'String':
      if (typeof value !== 'string') return 'This is not a text';
      return value.length < Number(inner[0] ?? 0) ? 'This is too short' : undefined;
    case 'Pattern':
      return patternMistake(inner, value);
    case 'Enum':
      return inner.map(unquoted).includes(String(value))
        ? undefined
        : `One of ${inner.map(unquoted).join(', ')}`;
    case 'Integer':
      return Number.isInteger(value) ? undefined : 'This is not a whole number';
    case 'Boolean':
      return typeof value === 'boolean' ? undefined : 'Either true or false';
    default:
      return undefined;
  }
}

function arrayMistake([type, least]: readonly string[], value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'This is not a list: ["one", "another"]';
  const items = value as readonly unknown[];
  if (items.length < Number(least ?? 0)) return `At least ${least}`;
  if (type === undefined) return undefined;
  for (const item of items) {
    const message = mistakeIn(type, item);
    if (message !== undefined) return `${JSON.stringify(item)}: ${message}`;
  }
  return undefined;
}

function patternMistake(patterns: readonly string[], value: unknown): string | undefined {
  if (typeof value !== 'string') return 'This is not a text';
  const expressions = patterns.map((each) => expressionOf(each));
  // One that a browser can't read may match.
  const doesMatch = expressions.some((each) => each === undefined || each.test(value));
  return doesMatch || patterns.length === 0 ? undefined : `This does not match ${patterns.join(' or ')}`;
}

/** Ruby's ends of a text are those of a browser without the flag for lines. */
function expressionOf(pattern: string): RegExp | undefined {
  const source = unquoted(pattern.replace(/^\/(.*)\/$/s, '$1'));
  try {
    return new RegExp(source.replaceAll(String.raw`\A`, '^').replaceAll(/\\[zZ]/g, '$'), 'u');
  } catch {
    return undefined; // what browsers don't know
  }
}

function unquoted(text: string): string {
  return text.replace(/^(['"])(.*)\1$/s, '$2');
}

/** `Array[String[1], 2]` as `Array` with `String[1]` and `2`. */
function headOf(type: string): { readonly name: string; readonly inner: readonly string[] } {
  const [, name = 'Any', inner] = /^\s*([\w:]+)\s*(?:\[(.*)\])?\s*$/s.exec(type) ?? [];
  return { name, inner: inner === undefined ? [] : split(inner) };
}

/** At commas that are not within brackets, quotes or patterns. */
function split(text: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  let quote = '';
  for (const [index, character] of Array.from(text).entries()) {
    const isEscaped = text[index - 1] === '\\';
    if (quote === '' && '\'"/'.includes(character)) quote = character;
    else if (character === quote && !isEscaped) quote = '';
    else if (quote === '' && '[{('.includes(character)) depth += 1;
    else if (quote === '' && ']})'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0 && quote === '') parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
