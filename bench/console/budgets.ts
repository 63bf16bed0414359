/** Lines of the table of budgets: the measured value beside its limit. */

import { loadavg } from 'node:os';

export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly most: number;
  /** `ms`, `MiB`, `%` */
  readonly unit: string;
}

const lines: string[] = [];

/** Prints a line now and again at the end. A missed budget sets the exit code to 1. */
export function budget({ most, unit, value, what }: Measured): void {
  const isKept = value <= most;
  const line = `${isKept ? 'KEPT  ' : 'MISSED'} ${what}: ${short(value)} ${unit} (at most ${short(most)}), load ${loadavg()[0]?.toFixed(0)}`;
  console.log(line);
  lines.push(line);
  if (!isKept) process.exitCode = 1;
}

/** All lines of this run once more. */
export function printBudgets(): void {
  console.log(`\n${lines.join('\n')}`);
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
