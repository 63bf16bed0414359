/** How measured values are told: quantiles, and whether they are what was promised. */

/** @param share - from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Of milliseconds. */
export function spread(values: readonly number[]): string {
  const at = (share: number) => Math.round(quantile(values, share));
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

/** Prints whether a promise was kept; where it was not, the process will end with 1. */
export function promise(what: string, isKept: boolean): void {
  console.log(`${isKept ? 'KEPT' : 'MISSED'}: ${what}`);
  if (!isKept) process.exitCode = 1;
}
