/** Start time and memory at rest of a primary, alternately with and without the console. */

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
  const beganMs = performance.now();
  await installation.startPrimary();
  const ms = performance.now() - beganMs;
  const pid = installation.primary?.pid ?? 0;
  const cpuMs = processUse(pid).cpuSeconds * 1000;
  await sleep(restMs);
  const { residentMiB } = processUse(pid);
  await installation.stop();
  return { ms, cpuMs, residentMiB };
}
