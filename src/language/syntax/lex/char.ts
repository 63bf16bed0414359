/** What characters are to the lexer. Everything takes UTF-16 code units; `NaN` is the end of the text. */

/** A letter, digit or underscore of ASCII: what `\w` means to the reference. */
export function isWordChar(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** A lower-case letter or underscore: what may start a bare word. */
export function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x5f;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

/** A space or tab, or one of the spaces of Unicode; no line break. */
export function isBlank(code: number): boolean {
  if (code === 0x20 || code === 0x09) return true;
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Does a word end before this character? Unlike `\w`, the reference's `\b` knows the letters of Unicode. */
export function endsWord(code: number): boolean {
  if (code < 0x80) return !isWordChar(code);
  if (Number.isNaN(code)) return true;
  return !/[\p{L}\p{M}\p{N}\p{Pc}]/u.test(String.fromCharCode(code));
}
