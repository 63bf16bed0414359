/** The threads that read large bodies of agents: facts and reports. */

import { LargeFactsReader } from '../../services/facts/index.ts';
import { reportReader } from '../../services/reports/index.ts';
import { type ReportWorkerData, reportThread } from './agent-reports.ts';
import { factsThread } from './facts-thread.ts';

export interface LargeBodies {
  readonly facts: LargeFactsReader;
  readonly reports: ReturnType<typeof reportReader>;
  stop(): Promise<void>;
}

export function readLargeBodies(reportData: ReportWorkerData): LargeBodies {
  const [facts, reports] = [factsThread(), reportThread(reportData)];
  return {
    facts: new LargeFactsReader(facts),
    reports: reportReader(reports),
    async stop() {
      await Promise.all([facts.stop(), reports.stop()]);
    },
  };
}
