/** Two texts line by line. */

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** More lines are not compared one by one: the time grows with their product. */
const mostLines = 1500;

/** Lines that are only left (`-`), only right (`+`), or on both sides. */
export function lineDiff(left: string, right: string): readonly DiffLine[] {
  const [a, b] = [left.split('\n'), right.split('\n')];
  if (a.length > mostLines || b.length > mostLines)
    return [
      ...a.map((text) => ({ sign: '-', text }) as const),
      ...b.map((text) => ({ sign: '+', text }) as const),
    ];
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [before, after] = [a[i], b[j]];
    if (before !== undefined && before === after) {
      lines.push({ sign: ' ', text: before });
      i++;
      j++;
    } else if (
      before !== undefined &&
      (after === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      lines.push({ sign: '-', text: before });
      i++;
    } else {
      lines.push({ sign: '+', text: after ?? '' });
      j++;
    }
  }
  return lines;
}

/** `[i][j]`: how many lines the texts from line `i` and from line `j` on have in common, in order. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, next] = [lengths[i], lengths[i + 1]];
    if (row === undefined || next === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
  }
  return lengths;
}

/** The changed lines with some context; `undefined` stands for omitted lines. */
export function foldedDiff(lines: readonly DiffLine[], around = 2): readonly (DiffLine | undefined)[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ sign }) => sign !== ' ');
  const folded: (DiffLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) folded.push(line);
    else if (folded.length === 0 || folded.at(-1) !== undefined) folded.push(undefined);
  }
  return folded;
}
