/** What `--profile` prints. */

import type { ProfileEntry } from '../language/evaluator/index.ts';

/** Beyond these nothing is worth a line. */
const mostLines = 30;

/** A table of what took the time, the most expensive first; times are of the thing itself, without what it called. */
export function renderProfile(entries: readonly ProfileEntry[]): string {
  const total = entries.reduce((sum, { selfMs }) => sum + selfMs, 0);
  const rows = entries.slice(0, mostLines).map(({ kind, name, count, selfMs }) => {
    const share = total === 0 ? 0 : (100 * selfMs) / total;
    const numbers = `${selfMs.toFixed(2).padStart(9)} ${share.toFixed(1).padStart(5)}% ${String(count).padStart(7)}`;
    return `${numbers}  ${kind} ${name}`;
  });
  const more = entries.length - rows.length;
  const rest = more > 0 ? [`${' '.repeat(26)}${more} more`] : [];
  return ['  self ms  share   count  what', ...rows, ...rest].map((row) => `${row}\n`).join('');
}
