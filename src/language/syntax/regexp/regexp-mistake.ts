/** What is wrong with a regular expression, in Ruby's words and without the expression. */
export class RegexpMistake extends Error {}

export const TOO_DEEP = 'parse depth limit over';

/** How deep groups and classes may nest. @throws RegexpMistake when they do so more deeply */
export function checkDepth(depth: number): void {
  if (depth > 4095) throw new RegexpMistake(TOO_DEEP);
}

/**
 * Reads what follows the backslash of a property such as `\p{Alpha}`. Whether there is one of the name, whatever
 * compiles it knows.
 *
 * @param rest - what follows the backslash
 * @returns how much of it is the property, 0 when there is none
 * @throws RegexpMistake
 */
export function readProperty(rest: string): number {
  const [text = '', name = '', end] = /^[pP]\{\^?([^}(){|]*)([}(){|])?/.exec(rest) ?? [];
  if (text === '') return 0;
  if (end === '}' && /^(?:age=[\d.]+|[\w -]*[a-z][\w -]*)$/i.test(name)) return text.length;
  // At the end of the expression Ruby forgets the last character.
  const shown = end === undefined ? name.slice(0, -1) : name;
  throw new RegexpMistake(`invalid character property name {${shown}}`);
}
