/** Ruby's `File.fnmatch?` without flags, as far as names without slashes go. */

/** Whether one character matches; `star` stands for any number of characters. */
type Token = 'star' | ((character: string) => boolean);

/**
 * Makes a test out of a glob: `*`, `?`, `[a-z]`, `[!a-z]`, `[^a-z]`, `\` before anything literal.
 *
 * A leading period is matched by a literal period only. Braces mean themselves. The time is bounded by the
 * product of both lengths: patterns come from the network.
 */
export function fnmatch(pattern: string): (name: string) => boolean {
  const tokens = tokenize(Array.from(pattern));
  const matchesHidden = /^\\?\./.test(pattern);
  return (name) => (matchesHidden || !name.startsWith('.')) && matches(tokens, Array.from(name));
}

function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let index = 0;
  // Where the last star was, and up to where it reaches: on a mismatch it takes one character more.
  let star = -1;
  let reach = 0;
  while (index < name.length) {
    const current = tokens[token];
    if (current === 'star') {
      star = token++;
      reach = index;
    } else if (current?.(name[index] ?? '')) {
      token++;
      index++;
    } else if (star >= 0) {
      token = star + 1;
      index = ++reach;
    } else return false;
  }
  while (tokens[token] === 'star') token++;
  return token === tokens.length;
}

function tokenize(pattern: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] ?? '';
    if (character === '*') tokens.push('star');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const set = parseSet(pattern, i + 1);
      tokens.push(set.token);
      i = set.end;
    } else if (character !== '\\') tokens.push(literal(character));
    // A backslash at the end stands for nothing.
    else if (i + 1 < pattern.length) tokens.push(literal(pattern[++i] ?? ''));
  }
  return tokens;
}

/** @param start - the index after the opening bracket; a set that is not closed matches nothing */
function parseSet(pattern: readonly string[], start: number): { token: Token; end: number } {
  const isNegated = pattern[start] === '!' || pattern[start] === '^';
  const ranges: (readonly [string, string])[] = [];
  let i = isNegated ? start + 1 : start;
  while (i < pattern.length && pattern[i] !== ']') {
    const [first, afterFirst] = literalAt(pattern, i);
    i = afterFirst;
    if (pattern[i] === '-' && i + 1 < pattern.length && pattern[i + 1] !== ']') {
      const [last, afterLast] = literalAt(pattern, i + 1);
      ranges.push([first, last]);
      i = afterLast;
    } else ranges.push([first, first]);
  }
  if (i >= pattern.length) return { token: () => false, end: pattern.length };
  return { token: (character) => isNegated !== ranges.some((range) => isWithin(character, range)), end: i };
}

/** The ends always belong to a range, also when it runs backwards. */
function isWithin(character: string, [first, last]: readonly [string, string]): boolean {
  return character === first || character === last || (first < character && character < last);
}

/** @returns the character at the index, a backslash before it removed, and the index after it */
function literalAt(pattern: readonly string[], index: number): readonly [string, number] {
  const at = pattern[index] === '\\' && index + 1 < pattern.length ? index + 1 : index;
  return [pattern[at] ?? '', at + 1];
}

function literal(expected: string): Token {
  return (character) => character === expected;
}
