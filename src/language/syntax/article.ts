/** English, as far as messages need it. */

const VOWELS = 'aeiouy';

/** `a` or `an`, by the first letter after an opening quote. */
export function article(text: string): 'a' | 'an' {
  const isQuoted = text.startsWith("'") || text.startsWith('"');
  const letter = text.charAt(isQuoted ? 1 : 0).toLowerCase();
  return letter !== '' && VOWELS.includes(letter) ? 'an' : 'a';
}

/** The text with its indefinite article: `a Host Class Definition`. */
export function aAn(text: string): string {
  return `${article(text)} ${text}`;
}

/** The same at the start of a sentence. */
export function aAnUpper(text: string): string {
  return `${article(text) === 'an' ? 'An' : 'A'} ${text}`;
}
