/** Start time and memory at rest of a primary, alternately with and without the console. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../../demo/installation.ts';
import { quantile } from '../figures.ts';
import { processUse } from '../process-use.ts';
import { budget } from './budgets.ts';

const starts = 7;
const mostMs = 20;
const mostMiB = 5;
const restMs = 3000;

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
  readonly residentMiB: number;
}

/** @param installationWith - one and the same directory, with the console and without it */
export async function measureStart(
  installationWith: (isWithConsole: boolean) => Installation,
): Promise<void> {
  const found: Record<'with' | 'without', Start[]> = { with: [], without: [] };
  for (let round = 0; round < starts * 2; round++) {
    const kind = round % 2 === 0 ? 'without' : 'with';
    found[kind].push(await oneStart(installationWith(kind === 'with')));
  }
  const middle = (kind: 'with' | 'without', value: (start: Start) => number) =>
    quantile(found[kind].map(value), 0.5);
  for (const kind of ['without', 'with'] as const)
    console.log(
      `${kind} the console: ready after ${middle(kind, ({ ms }) => ms).toFixed(0)} ms, ` +
        `${middle(kind, ({ cpuMs }) => cpuMs).toFixed(0)} ms of the processor, ${middle(kind, ({ residentMiB }) => residentMiB).toFixed(1)} MiB`,
    );
  const more = (value: (start: Start) => number) => middle('with', value) - middle('without', value);
  budget({
    what: 'start, with the console longer by',
    value: more(({ ms }) => ms),
    most: mostMs,
    unit: 'ms',
  });
  budget({
    what: 'start, more time of the processor',
    value: more(({ cpuMs }) => cpuMs),
    most: mostMs,
    unit: 'ms',
  });
  budget({
    what: 'memory at rest, more by',
    value: more(({ residentMiB }) => residentMiB),
    most: mostMiB,
    unit: 'MiB',
  });
}

async function oneStart(installation: Installation): Promise<Start> {
  const beganMs = Date.now();
  await installation.startPrimary();
  const pid = installation.primary?.pid ?? 0;
  const cpuMs = processUse(pid).cpuSeconds * 1000;
  await sleep(restMs);
  const { residentMiB } = processUse(pid);
  await installation.stop();
  // Its log is complete.
  const ms = readyMs(installation) - beganMs;
  return { ms, cpuMs, residentMiB };
}

/** When the primary said last that it is ready: asking it again and again would be too coarse. */
function readyMs({ options: { directory } }: Installation): number {
  const lines = readFileSync(join(directory, 'log', 'primary.log'), 'utf8')
    .trimEnd()
    .split('\n');
  const line = lines.findLast((each) => each.includes('"msg":"primary is ready"'));
  if (line === undefined) throw new Error('the log does not say that the primary is ready');
  return Date.parse((JSON.parse(line) as { readonly time: string }).time);
}
