/** Regular expressions are Ruby's; those that Ruby can't compile are refused when they are read. */

/** Groups that begin with `(?`: what may follow. */
const GROUP_PREFIX = /^(?:[:=!>~]|<[=!]|#|[imxaud-]+[:)]|'|<|\()/;

/**
 * Says what is wrong with a regular expression, in Ruby's words; `undefined` when nothing obvious is. Not a full
 * parser: whatever compiles it has the last word.
 */
export function regexpMistake(source: string): string | undefined {
  // With comments in it, brackets may mean nothing.
  if (/\(\?[a-z]*x/.test(source)) return undefined;
  let depth = 0;
  let canRepeat = false;
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case '\\': {
        const mistake = escapeMistake(source, at);
        if (mistake !== undefined) return mistake;
        at++;
        canRepeat = true;
        break;
      }
      case '[': {
        const end = classEnd(source, at);
        if (typeof end === 'string') return end;
        at = end;
        canRepeat = true;
        break;
      }
      case '(': {
        const group = groupMistake(source, at);
        if (group !== undefined) return group;
        if (source.startsWith('(?#', at)) {
          at = source.indexOf(')', at);
        } else {
          depth++;
          canRepeat = false;
          if (source[at + 1] === '?') at++;
        }
        break;
      }
      case ')':
        depth--;
        if (depth < 0) return 'unmatched close parenthesis';
        canRepeat = true;
        break;
      case '*':
      case '+':
      case '?':
        // Behind the `(` of a group the `?` was skipped above.
        if (!canRepeat) return 'target of repeat operator is not specified';
        break;
      case '|':
        canRepeat = false;
        break;
      default:
        canRepeat = true;
    }
  }
  return depth > 0 ? 'end pattern with unmatched parenthesis' : undefined;
}

function escapeMistake(source: string, at: number): string | undefined {
  const next = source[at + 1];
  if (next === undefined) return 'too short escape sequence';
  if (
    next === 'u' &&
    !/^(?:[\da-fA-F]{4}|\{\s*[\da-fA-F]+(?:\s+[\da-fA-F]+)*\s*\})/.test(source.slice(at + 2))
  ) {
    return 'invalid Unicode escape';
  }
  if (next === 'x' && !/^[\da-fA-F]/.test(source.slice(at + 2))) return 'invalid hex escape';
  return undefined;
}

/** The index of the bracket that closes a class, or what is wrong with it; classes nest. */
function classEnd(source: string, start: number): number | string {
  let at = start + 1;
  if (source[at] === '^') at++;
  if (source[at] === ']') {
    // A bracket that comes first is a character, unless it is the only one.
    if (!source.includes(']', at + 1)) return 'empty char-class';
    at++;
  }
  for (; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
    else if (source[at] === '[') {
      const end = source[at + 1] === ':' ? posixEnd(source, at) : classEnd(source, at);
      if (typeof end === 'string') return end;
      at = end;
    } else if (source[at + 1] === '-' && isPlain(source[at + 2])) {
      if (source.charCodeAt(at) > source.charCodeAt(at + 2)) return 'empty range in char class';
      at += 2;
    }
  }
  return 'premature end of char-class';
}

/** May the character end a range as it is? */
function isPlain(char: string | undefined): boolean {
  return char !== undefined && char !== ']' && char !== '[' && char !== '\\';
}

function posixEnd(source: string, start: number): number {
  const match = /^\[:\^?[a-z]+:\]/.exec(source.slice(start, start + 12));
  return match === null ? start : start + match[0].length - 1;
}

function groupMistake(source: string, at: number): string | undefined {
  if (source[at + 1] !== '?') return undefined;
  const rest = source.slice(at + 2, at + 80);
  if (rest === '') return 'end pattern in group';
  if (!GROUP_PREFIX.test(rest)) return 'undefined group option';
  if (rest.startsWith('#') && !source.includes(')', at)) return 'end pattern in group';
  const name = /^<(?![=!])([^>]*)(>?)/.exec(rest);
  if (name === null) return undefined;
  const [, text = '', close] = name;
  if (text === '' && close === '>') return 'group name is empty';
  return close === '>' && /^[^\d\W]\w*$/u.test(text) ? undefined : `invalid group name <${text}>`;
}

/** A regular expression as Ruby shows it: slashes are escaped. */
export function showRegexp(source: string): string {
  return source.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found));
}
