/**
 * The text without the slashes at its end, in linear time: a regular expression that may begin at each slash looks on
 * from each, which takes long for what a stranger may send.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
