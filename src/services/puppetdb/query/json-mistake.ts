/** What is said of JSON that cannot be read. */

import { QueryError } from '../query/query-error.ts';

/** @throws QueryError with line, column and the line itself */
export function parseQueryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw describeMistake(text, error, text);
  }
}

/** The first value; nothing that follows is looked at. @throws QueryError as `parseQueryJson` */
export function parseFirstJson(text: string): unknown {
  return parseQueryJson(text.slice(0, endOfValue(text, 0)));
}

/** All values, one after the other; none of an empty text. @throws QueryError as `parseQueryJson` */
export function parseQueryJsons(text: string): readonly unknown[] {
  const values: unknown[] = [];
  for (let start = afterSpace(text, 0); start < text.length; ) {
    const end = endOfValue(text, start);
    try {
      values.push(JSON.parse(text.slice(start, end)));
    } catch (error) {
      // Where a mistake is counts from the beginning of the text.
      const alone = text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start, end);
      throw describeMistake(alone, error, text);
    }
    start = afterSpace(text, end);
  }
  return values;
}

function afterSpace(text: string, start: number): number {
  const space = /\s*/y;
  space.lastIndex = start;
  space.exec(text);
  return space.lastIndex;
}

/** Behind the value that begins at or after a position: behind the bracket that closes it, or behind its word. */
function endOfValue(text: string, start: number): number {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[[\]{}]|[^\s"[\]{}]+/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '[' || match[0] === '{') depth++;
    else if (match[0] === ']' || match[0] === '}') depth--;
    if (depth <= 0) return token.lastIndex;
  }
  return text.length;
}

/** @param whole - the text whose line is shown */
function describeMistake(text: string, error: unknown, whole: string): QueryError {
  const message = error instanceof Error ? error.message : '';
  const noticed = mistakeAt(text);
  // A word is wrong from its beginning, though it may have begun as a right one.
  const within = noticed === undefined ? 0 : noticed - wordStart(text, noticed);
  const isWord = noticed !== undefined && (within > 0 || /\w/.test(text.charAt(noticed)));
  const position = (noticed ?? text.length) - (isWord ? within : 0);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - (before.lastIndexOf('\n') + 1) + 1;
  const shown = whole.split('\n')[line - 1] ?? '';
  const reason = noticed === undefined ? unfinished(text, message) : unexpected(text, position, message);
  const at = column + reason.word;
  const marker = `${' '.repeat(Math.max(at - 2, 0))}^`;
  return new QueryError(
    `Json parse error at line ${line}, column ${at}:\n\n${shown}\n${marker}\n\n${reason.text}`,
  );
}

/** Where the word begins that ends before a position. */
function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The first character that no JSON could have there; `undefined` when only the end is missing. */
function mistakeAt(text: string): number | undefined {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return bad > text.length ? undefined : bad - 1;
}

function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of JSON|Unterminated/i.test(message)) return true;
    const position = /position (\d+)/.exec(message)?.[1];
    return position !== undefined && Number(position) >= text.length;
  }
}

interface Reason {
  readonly text: string;
  /** How far behind its beginning the reference noticed the word. */
  readonly word: number;
}

function unfinished(text: string, message: string): Reason {
  const what = 'Unexpected end-of-input';
  if (/Unterminated string/i.test(message)) {
    return { text: `${what}: was expecting closing quote for a string value`, word: 0 };
  }
  if (/:\s*$/.test(text)) return { text: `${what} within/between Object entries`, word: 0 };
  const open = openBracket(text);
  const kind = open?.bracket === '{' ? 'Object' : 'Array';
  const place = `[Source: (StringReader); line: ${open?.line ?? 1}, column: ${open?.column ?? 1}]`;
  return {
    text: `${what}: expected close marker for ${kind} (start marker at ${place})`,
    word: 0,
  };
}

/** The innermost bracket that is not closed. */
function openBracket(
  text: string,
): { readonly bracket: string; readonly line: number; readonly column: number } | undefined {
  const open: { bracket: string; line: number; column: number }[] = [];
  let [line, column, isString] = [1, 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    column++;
    if (character === '\n') [line, column] = [line + 1, 0];
    else if (isString && character === '\\') [index, column] = [index + 1, column + 1];
    else if (character === '"') isString = !isString;
    else if (!isString && (character === '[' || character === '{'))
      open.push({ bracket: character, line, column });
    else if (!isString && (character === ']' || character === '}')) open.pop();
  }
  return open.at(-1);
}

function unexpected(text: string, position: number, message: string): Reason {
  const word = /^\w+/.exec(text.slice(position))?.[0];
  const expected = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
  if (word !== undefined) {
    return { text: `Unrecognized token '${word}': was expecting ${expected}`, word: word.length };
  }
  const code = text.charCodeAt(position);
  const inHex = code > 255 ? ` / 0x${code.toString(16)}` : '';
  const what = `Unexpected character ('${text.charAt(position)}' (code ${code}${inHex}))`;
  const wanted = mistakes.find(([pattern]) => pattern.test(message))?.[1];
  return { text: `${what}: ${wanted ?? `expected a valid value ${expected}`}`, word: 1 };
}

const mistakes: readonly (readonly [RegExp, string])[] = [
  [/after array element/, 'was expecting comma to separate Array entries'],
  [/after property value/, 'was expecting comma to separate Object entries'],
  [/after property name/, 'was expecting a colon to separate field name and value'],
  [/property name/, 'was expecting double-quote to start field name'],
];
