/** What `--profile` prints. */

import type { ProfileEntry } from '../../language/evaluator/index.ts';
import type { LayerTally } from '../../services/compiler/index.ts';

/** Beyond these nothing is worth a line. */
const mostLines = 30;

/** A table of where the time went, the most expensive first; each time excludes what was called. */
export function renderProfile(entries: readonly ProfileEntry[], layers: readonly LayerTally[]): string {
  const total = entries.reduce((sum, { selfMs }) => sum + selfMs, 0);
  const rows = entries.slice(0, mostLines).map(({ kind, name, count, selfMs }) => {
    const share = total === 0 ? 0 : (100 * selfMs) / total;
    const numbers = `${selfMs.toFixed(2).padStart(9)} ${share.toFixed(1).padStart(5)}% ${String(count).padStart(7)}`;
    return `${numbers}  ${kind} ${name}`;
  });
  const more = entries.length - rows.length;
  const rest = more > 0 ? [`${' '.repeat(26)}${more} more`] : [];
  const lines = ['  self ms  share   count  what', ...rows, ...rest, ...renderLayers(layers)];
  return lines.map((row) => `${row}\n`).join('');
}

/** What there was in Ruby, by who served it. */
function renderLayers(layers: readonly LayerTally[]): readonly string[] {
  if (layers.length === 0) return [];
  const rows = layers
    .toSorted((a, b) => b.selfMs - a.selfMs)
    .map(
      ({ count, layer, selfMs, served }) =>
        `${selfMs.toFixed(2).padStart(9)} ${String(count).padStart(14)}  ${layer} ${served}`,
    );
  return ['  self ms          count  in Ruby, by layer', ...rows];
}
