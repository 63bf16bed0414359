/** Something to see on the pages of jobs, tasks, plans and schedules. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';

const pollMs = 1000;
const websites = 'nodes[certname] { certname ~ "^web" }';

/**
 * Checks the example's website by a task that repeats and, the first time, by a plan.
 *
 * @param nodes - that have to be connected before
 */
export async function startDemoJobs(
  installation: Installation,
  nodes: number,
  signal: AbortSignal,
): Promise<void> {
  const run = async (...args: readonly string[]) =>
    await installation.bunraku([...args, '--data', installation.primaryDirectory]);
  while (!(await areConnected(run, nodes))) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  if ((await run('schedule', 'list')).trim() !== '') return;
  await run('task', 'run', 'website::check', '--query', websites, '--cron', '*/10 * * * *');
  const targets = JSON.stringify(['web01.fleet.demo', 'web03.fleet.demo', 'db04.fleet.demo']);
  // It fails on one of them, as things do.
  await run('plan', 'run', 'website::check', `targets=${targets}`).catch(() => undefined);
}

async function areConnected(run: (...args: readonly string[]) => Promise<string>, nodes: number) {
  const listed = JSON.parse(await run('inventory', '--format', 'json')) as {
    readonly items: readonly unknown[];
  };
  return listed.items.length >= nodes;
}
