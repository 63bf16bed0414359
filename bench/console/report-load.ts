/** Runs of agents, or only their reports, that arrive while pages are open. */

import { setTimeout as sleep } from 'node:timers/promises';
import { factsTextOf, nameOf, reportOf } from '../puppetdb/many-nodes.ts';
import type { ConsolePrimary } from './console-primary.ts';

export interface ReportLoad {
  /** From sending to being stored, of each node in milliseconds, since the last call. */
  take(): readonly number[];
  /** @throws the first failure */
  stop(): Promise<void>;
}

/** A busy machine does not take all in time: they would wait for longer and longer. */
const mostWaiting = 60;

interface Pace {
  /** Of the fleet. */
  readonly nodes: number;
  readonly perSecond: number;
  /** Whether facts come before each report, as of agents. */
  readonly hasFacts: boolean;
}

/** Sends facts and reports of one node after another at an even rate. */
export function sendReports(
  { installation, puppetDbUrl }: ConsolePrimary,
  { hasFacts, nodes, perSecond }: Pace,
): ReportLoad {
  const client = installation.operator();
  const ending = new AbortController();
  let times: number[] = [];
  let sent = 0;
  let leftOut = 0;
  let failure: unknown;
  const submit = async (command: string, version: string, certname: string, body: string) => {
    const { status } = await client.send({
      method: 'POST',
      url: `${puppetDbUrl}/pdb/cmd/v1?${new URLSearchParams({ command, version, certname })}`,
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (status !== 200) throw new Error(`${command} was answered with ${status}`);
  };
  const send = async () => {
    const node = (sent++ * 7919) % nodes;
    const certname = nameOf(node);
    const time = new Date().toISOString();
    const report = JSON.stringify(reportOf(node, time, 1000 + sent));
    const facts = hasFacts ? factsTextOf(node, time) : undefined;
    const startedMs = performance.now();
    if (facts !== undefined) await submit('replace_facts', '5', certname, facts);
    await submit('store_report', '8', certname, report);
    times.push(performance.now() - startedMs);
  };
  const run = async () => {
    const pending = new Set<Promise<void>>();
    const startedMs = performance.now();
    for (let next = 0; !ending.signal.aborted; next++) {
      const waitMs = startedMs + (next * 1000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      if (pending.size >= mostWaiting) {
        leftOut++;
        continue;
      }
      const one: Promise<void> = send()
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await Promise.all(pending);
  };
  const running = run();
  return {
    take() {
      const taken = times;
      times = [];
      return taken;
    },
    async stop() {
      ending.abort();
      await running;
      client.close();
      if (failure !== undefined) throw failure;
      console.log(
        `${sent} have arrived; ${leftOut} more were left out, because ${mostWaiting} were waiting for an answer`,
      );
    },
  };
}
