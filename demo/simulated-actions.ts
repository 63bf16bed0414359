/** What a simulated node does when the orchestrator asks for it: nothing is changed, but the answers look as if. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Doing } from './simulated-pxp-agent.ts';

interface SimulatedActions {
  readonly certname: string;
  /** Runs the simulated agent. @returns the id of its report */
  readonly runPuppet: () => Promise<string>;
  readonly signal: AbortSignal;
}

const stepMs = 400;
const bad = 'db04';

/** Never rejects: a node that has stopped leaves its answer out. */
export async function act(doing: Doing, actions: SimulatedActions): Promise<void> {
  try {
    doing.end(await resultsOf(doing, actions));
  } catch (error) {
    if (!actions.signal.aborted) doing.end({ exitcode: 1, stdout: '', stderr: String(error) });
  }
}

async function resultsOf(doing: Doing, { certname, runPuppet, signal }: SimulatedActions) {
  const { module, params } = doing;
  if (module === 'pxp-module-puppet')
    return { kind: 'apply_result', status: 'changed', exitcode: 0, transaction_uuid: await runPuppet() };
  if (module === 'command') return said(`${certname}: simulated\n`);
  if (module !== 'task') return { exitcode: 1, stdout: '', stderr: 'A simulated node can’t do this' };
  if (params['task'] === 'website::check') return await checkWebsite(doing, certname, signal);
  const answer = answers[String(params['task'])];
  return said(answer === undefined ? 'Simulated\n' : JSON.stringify(answer(new Date())));
}

const answers: Readonly<Record<string, (now: Date) => object>> = {
  'bunraku::agent': (now) => ({
    enabled: true,
    message: null,
    running: false,
    version: '8.10.0',
    last_run: { time: now.toISOString(), failed: 0, changed: 0 },
  }),
  package: () => ({ status: 'up to date', version: '3.0.15-1~deb12u1' }),
  service: () => ({ status: 'running', enabled: 'true' }),
};

/** Page by page, so that output can be seen to come. */
async function checkWebsite(doing: Doing, certname: string, signal: AbortSignal) {
  const lines = ['about.html: 512 bytes\n', 'contact.html: 488 bytes\n', 'index.html: 1024 bytes\n'];
  for (const line of lines) {
    await sleep(stepMs, undefined, { signal });
    doing.write(line);
  }
  const isWrong = certname.startsWith(bad);
  const end = isWrong
    ? 'index.html is smaller than 2048 bytes\n3 pages, 1 failures\n'
    : '3 pages, 0 failures\n';
  doing.write(end);
  return { ...said(lines.join('') + end), exitcode: isWrong ? 1 : 0 };
}

function said(stdout: string) {
  return { exitcode: 0, stdout, stderr: '' };
}
