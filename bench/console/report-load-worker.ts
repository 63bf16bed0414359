/** The thread that sends runs: what it costs to make them does not delay what the main thread measures. */

import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { factsTextOf, nameOf, reportOf } from '../puppetdb/many-nodes.ts';
import type { LoadAnswer, LoadOrder, LoadSettings } from './report-load.ts';

/** A busy machine does not take all in time: they would wait for longer and longer. */
const mostWaiting = 60;

const { credentials, pace, puppetDbUrl } = workerData as LoadSettings;
const { hasFacts, nodes, perSecond } = pace;
const client = new HttpClient(credentials);
const ending = new AbortController();
let times: number[] = [];
let sent = 0;
let leftOut = 0;
let failure: unknown;

async function submit(command: string, version: string, certname: string, body: string): Promise<void> {
  const { status } = await client.send({
    method: 'POST',
    url: `${puppetDbUrl}/pdb/cmd/v1?${new URLSearchParams({ command, version, certname })}`,
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (status !== 200) throw new Error(`${command} was answered with ${status}`);
}

/** One run of the next node. */
async function send(): Promise<void> {
  const node = (sent++ * 7919) % nodes;
  const certname = nameOf(node);
  const time = new Date().toISOString();
  const report = JSON.stringify(reportOf(node, time, 1000 + sent));
  const facts = hasFacts ? factsTextOf(node, time) : undefined;
  const startedMs = performance.now();
  if (facts !== undefined) await submit('replace_facts', '5', certname, facts);
  await submit('store_report', '8', certname, report);
  times.push(performance.now() - startedMs);
}

async function run(): Promise<void> {
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
}

const running = run();

function answer(message: LoadAnswer): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (order: LoadOrder) => {
  if (order === 'take') {
    answer({ times });
    times = [];
    return;
  }
  ending.abort();
  void running.then(() => {
    client.close();
    const error = failure instanceof Error ? failure.message : undefined;
    answer({ sent, leftOut, mostWaiting, error });
    parentPort?.close();
  });
});
