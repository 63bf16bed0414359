/**
 * Many simulated PXP agents in one process: `node pxp-crowd.ts FILE`, which names them. SIGTERM ends it when no action runs any
 * more.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionJournal } from './action-journal.ts';
import { SimulatedPxpAgent } from './simulated-pxp-agent.ts';

export interface PxpCrowd {
  readonly agents: readonly {
    readonly certname: string;
    readonly certificate: string;
    readonly brokers: readonly string[];
  }[];
  readonly ca: string;
  /** Of all of them. */
  readonly privateKey: string;
  readonly journalFile: string;
  readonly longestMs: number;
}

const [file = ''] = process.argv.slice(2);
const { agents, journalFile, ...common } = JSON.parse(readFileSync(file, 'utf8')) as PxpCrowd;
const stopping = new AbortController();
const journal = new ActionJournal(journalFile);
const crowd = agents.map(
  (agent) => new SimulatedPxpAgent({ ...agent, ...common, journal, signal: stopping.signal }),
);
process.once('SIGTERM', () => void stop());
await Promise.all(crowd.map((agent) => agent.run()));

async function stop(): Promise<void> {
  while (crowd.some((agent) => agent.isBusy)) await sleep(100);
  stopping.abort();
}
