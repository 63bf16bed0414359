/** What is said of JSON that cannot be read. */

import { QueryError } from '../query/query-error.ts';

/** @throws QueryError with line, column and the line itself */
export function parseQueryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw describeMistake(text, error);
  }
}

function describeMistake(text: string, error: unknown): QueryError {
  const message = error instanceof Error ? error.message : '';
  const noticed = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
  const isUnfinished = /end of JSON|Unterminated/i.test(message) || noticed >= text.length;
  const position = isUnfinished ? text.length : noticed;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - (before.lastIndexOf('\n') + 1) + 1;
  const shown = text.split('\n')[line - 1] ?? '';
  const reason = isUnfinished ? unfinished(text) : unexpected(text, position);
  const at = isUnfinished ? column : column + reason.word;
  const marker = `${' '.repeat(Math.max(at - 2, 0))}^`;
  return new QueryError(
    `Json parse error at line ${line}, column ${at}:\n\n${shown}\n${marker}\n\n${reason.text}`,
  );
}

interface Reason {
  readonly text: string;
  /** How far behind its beginning the reference noticed the word. */
  readonly word: number;
}

function unfinished(text: string): Reason {
  const open = openBracket(text);
  const kind = open?.bracket === '{' ? 'Object' : 'Array';
  const place = `[Source: (StringReader); line: ${open?.line ?? 1}, column: ${open?.column ?? 1}]`;
  return {
    text: `Unexpected end-of-input: expected close marker for ${kind} (start marker at ${place})`,
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

function unexpected(text: string, position: number): Reason {
  const word = /^\w+/.exec(text.slice(position))?.[0];
  const expected = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
  if (word !== undefined) {
    return { text: `Unrecognized token '${word}': was expecting ${expected}`, word: word.length };
  }
  const character = text.charAt(position);
  const code = text.charCodeAt(position);
  return {
    text: `Unexpected character ('${character}' (code ${code})): expected a valid value ${expected}`,
    word: 1,
  };
}
