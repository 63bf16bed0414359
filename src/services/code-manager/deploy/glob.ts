/** Ruby's `File.fnmatch` with `FNM_PATHNAME` and `FNM_DOTMATCH`: how the purge allowlist is read. */

/** @returns whether a path as a whole matches the pattern */
export function globExpression(pattern: string): RegExp {
  let expression = '';
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? '';
    if (pattern.startsWith('**/', index) && (index === 0 || pattern[index - 1] === '/')) {
      expression += '(?:[^/]+/)*';
      index += 2;
    } else if (character === '*') {
      expression += '[^/]*';
      while (pattern[index + 1] === '*') index += 1;
    } else if (character === '?') expression += '[^/]';
    else if (character === '[') {
      const set = /^\[([!^]?)((?:\\.|[^\]\\])+)\]/.exec(pattern.slice(index));
      // A bracket that is never closed matches nothing at all.
      if (set === null) expression += '(?!)';
      else {
        expression += `(?!/)[${set[1] === '' ? '' : '^'}${(set[2] ?? '').replaceAll('[', '\\[')}]`;
        index += set[0].length - 1;
      }
    } else if (character === '\\' && index + 1 < pattern.length) {
      index += 1;
      expression += escape(pattern[index] ?? '');
    } else expression += escape(character);
  }
  return new RegExp(`^${expression}$`, 'su');
}

function escape(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
