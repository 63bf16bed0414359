/** Sets of characters as `tr`, `delete`, `count` and `squeeze` write them. */

import { giveUp } from '../signals.ts';

export interface CharacterSet {
  readonly isNegated: boolean;
  readonly characters: readonly string[];
}

export function characterSet(spec: string): CharacterSet {
  const isNegated = spec.length > 1 && spec.startsWith('^');
  const units = Array.from(isNegated ? spec.slice(1) : spec);
  if (units.includes('\\')) giveUp('an escape in a set of characters');
  const characters: string[] = [];
  for (let index = 0; index < units.length; index += 1) {
    const first = units[index] ?? '';
    const last = units[index + 2];
    if (units[index + 1] === '-' && last !== undefined) {
      characters.push(...range(first, last));
      index += 2;
    } else characters.push(first);
  }
  return { isNegated, characters };
}

function range(first: string, last: string): string[] {
  const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
  if (from > to || to - from > 1000) giveUp('such a range of characters');
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
}

export function isInSet({ characters, isNegated }: CharacterSet, character: string): boolean {
  return characters.includes(character) !== isNegated;
}

/** `tr`: characters of one set by those of another, whose last stands for all that are missing. */
export function translate(text: string, from: string, to: string): string {
  const set = characterSet(from);
  const targets = characterSet(to).characters;
  if (characterSet(to).isNegated) giveUp('a negated target');
  const last = targets.at(-1) ?? '';
  return Array.from(text, (character) => {
    const index = set.isNegated ? targets.length : set.characters.lastIndexOf(character);
    if (!isInSet(set, character)) return character;
    return targets[index] ?? last;
  }).join('');
}
