/** Letters in upper and lower case as Ruby maps them. */

/** Letters of two parts have a form of their own for the beginning of a word. */
const TITLE_CASE: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
};

/** `String#downcase`: a sigma at the end of a word is no special case, as it is in JavaScript. */
export function lowerCase(text: string): string {
  return text.includes('Σ') ? text.replaceAll('Σ', 'σ').toLowerCase() : text.toLowerCase();
}

/** `String#capitalize`. */
export function capitalizeText(text: string): string {
  if (text === '') return '';
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const [initial = '', ...others] = TITLE_CASE[first] ?? first.toUpperCase();
  return initial + lowerCase(others.join('') + text.slice(first.length));
}
