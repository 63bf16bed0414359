/** Text that nodes send may hide what it says: control characters and changes of direction are written as escapes. */

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** The text with each hidden character as `\u{202E}`; line ends and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (found) => `\\u{${found.codePointAt(0)?.toString(16).toUpperCase() ?? ''}}`);
}

/** A value of a fact or a parameter on one line: strings as they are, the rest as JSON. */
export function valueText(value: unknown): string {
  return visibleText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
