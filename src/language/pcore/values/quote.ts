const DOUBLE_QUOTE_ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  $: '\\$',
  '\\': '\\\\',
};

/** A string as a Puppet literal: in single quotes, or in double quotes where there are control characters. */
export function puppetQuote(text: string, enforceDoubleQuotes = false): string {
  // oxlint-disable-next-line no-control-regex
  if (enforceDoubleQuotes || /[\u0000-\u001f]/.test(text)) return doubleQuote(text);
  // A backslash is doubled only where it would otherwise escape what follows.
  let out = '';
  let isEscaped = false;
  for (const character of text) {
    if (isEscaped) {
      out += `\\${character}`;
      isEscaped = false;
    } else if (character === "'") out += "\\'";
    else if (character === '\\') isEscaped = true;
    else out += character;
  }
  return `'${out}${isEscaped ? '\\' : ''}'`;
}

function doubleQuote(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/[\u0000-\u001f"$\\]/g, (character) => {
    return DOUBLE_QUOTE_ESCAPES[character] ?? `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`;
  });
  return `"${escaped}"`;
}
