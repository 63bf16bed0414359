/** Text in other languages, as heredocs announce it: `@(END:json)`. */

/** Checks a text in one language; returns what is wrong. */
export type SyntaxChecker = (text: string) => string | undefined;

/** The checkers by the name of the language. */
export type SyntaxCheckers = ReadonlyMap<string, SyntaxChecker>;

/**
 * Checks text whose language is named. Names may have parts, the most specific first: `data+json` is checked as
 * `json` when nothing knows it as a whole. Unknown languages are fine.
 *
 * @returns the message of the error, `undefined` when there is none
 */
export function externalSyntaxMistake(
  text: string,
  syntax: string,
  checkers: SyntaxCheckers,
): string | undefined {
  const parts = syntax.split('+');
  for (let first = 0; first < parts.length; first++) {
    const checker = checkers.get(parts.slice(first).join('+'));
    if (checker === undefined) continue;
    const mistake = checker(text);
    return mistake === undefined ? undefined : `Invalid produced text having syntax: '${syntax}'. ${mistake}`;
  }
  return undefined;
}

/** JSON. Of the parser's message only its usual form is known here: the text from where it gave up. */
export function jsonMistake(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return `JSON syntax checker: Cannot parse invalid JSON string. "${shown(`unexpected token at '${text}'`, 100)}"`;
  }
}

/** Base 64, with padding; white space doesn't count. */
export function base64Mistake(text: string): string | undefined {
  const cleaned = text.replace(/[\r?\n\p{Zs}\t]/gu, '');
  if (cleaned.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(cleaned)) return undefined;
  const reason =
    (new TextEncoder().encode(cleaned).length * 8) % 6 === 0
      ? 'contains letters outside strict base 64 range (or whitespace)'
      : 'padding is not correct';
  return `Base64 syntax checker: Cannot parse invalid Base64 string - ${reason}`;
}

/** The start of a message, with line breaks made visible. */
export function shown(message: string, length: number): string {
  return message.slice(0, length).replace(/\r?\n/g, '\\n');
}
