/** Damages texts, always in the same way. */

const PIECES = [
  '',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '"',
  "'",
  '$',
  '${',
  '|',
  ',',
  ';',
  ':',
  '::',
  '=>',
  '+>',
  '->',
  '@',
  '@@',
  '<|',
  '|>',
  '*',
  '/',
  '-',
  '!',
  '?',
  '.',
  '=',
  '+=',
  'if',
  'class',
  'node',
  'default',
  'type',
  'function',
  'inherits',
  'in',
  '0x',
  '1.',
  '#',
  '\n',
  ' ',
  '\\',
  '%',
  '<%',
  '%>',
  'notice',
  'Foo',
  'foo',
  '$x',
  '1',
  'undef',
  'unless',
  'else',
  'case',
  'é',
  '@(X)',
  '~>',
];

/** That many copies of a text, each with one or two places replaced, doubled or cut out. */
export function mutate(text: string, count: number): string[] {
  const random = randomFrom(text.length + 1);
  return Array.from({ length: count }, () => {
    let mutant = text;
    for (let left = 1 + (random() % 2); left > 0; left--) mutant = damage(mutant, random);
    return mutant;
  });
}

function damage(text: string, random: () => number): string {
  const at = random() % (text.length + 1);
  const length = random() % 4;
  if (random() % 8 === 0) return text.slice(0, at);
  return text.slice(0, at) + (PIECES[random() % PIECES.length] ?? '') + text.slice(at + length);
}

/** A linear congruential generator: no need for more, but it must not change from run to run. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}
