/** What Ruby takes for white space when it strips: ASCII only, with the null character. */
const BLANK = '\0\t\n\v\f\r ';

/** `String#lstrip`. */
export function stripStart(text: string): string {
  let start = 0;
  while (start < text.length && BLANK.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** `String#rstrip`. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && BLANK.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
