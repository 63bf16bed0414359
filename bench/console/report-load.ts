/** Runs of agents, or only their reports, that arrive while pages are open. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Installation } from '../../demo/installation.ts';
import type { ConsolePrimary } from './console-primary.ts';

export interface ReportLoad {
  /** From sending to being stored, of each node in milliseconds, since the last call. */
  take(): Promise<readonly number[]>;
  /** @throws the first failure */
  stop(): Promise<void>;
}

interface Pace {
  /** Of the fleet. */
  readonly nodes: number;
  readonly perSecond: number;
  /** Whether facts come before each report, as of agents. */
  readonly hasFacts: boolean;
}

export interface LoadSettings {
  readonly credentials: ReturnType<Installation['operatorCredentials']>;
  readonly puppetDbUrl: string;
  readonly pace: Pace;
}

export type LoadOrder = 'stop' | 'take';

export type LoadAnswer =
  | { readonly times: readonly number[] }
  | {
      readonly sent: number;
      readonly leftOut: number;
      readonly mostWaiting: number;
      readonly error: string | undefined;
    };

/** Sends facts and reports of one node after another at an even rate, from a thread of its own. */
export function sendReports({ installation, puppetDbUrl }: ConsolePrimary, pace: Pace): ReportLoad {
  const settings: LoadSettings = { credentials: installation.operatorCredentials(), puppetDbUrl, pace };
  const worker = new Worker(new URL('./report-load-worker.ts', import.meta.url), { workerData: settings });
  const ask = async (order: LoadOrder): Promise<LoadAnswer> => {
    const answered = once(worker, 'message');
    worker.postMessage(order);
    const [answer] = (await answered) as [LoadAnswer];
    return answer;
  };
  return {
    async take() {
      const answer = await ask('take');
      return 'times' in answer ? answer.times : [];
    },
    async stop() {
      const answer = await ask('stop');
      await worker.terminate();
      if (!('sent' in answer)) return;
      const { error, leftOut, mostWaiting, sent } = answer;
      if (error !== undefined) throw new Error(error);
      console.log(
        `${sent} have arrived; ${leftOut} more were left out, because ${mostWaiting} were waiting for an answer`,
      );
    },
  };
}
