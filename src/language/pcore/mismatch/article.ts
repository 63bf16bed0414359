/** The word with its indefinite article, as the reference chooses it: by letter, `y` counting as a vowel. */
export function withArticle(text: string): string {
  const letter = /^["']/.test(text) ? text.charAt(1) : text.charAt(0);
  return `${/^[aeiouy]/i.test(letter) ? 'an' : 'a'} ${text}`;
}
