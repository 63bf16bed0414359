/** The thread that reads large reports. */

import { workerData } from 'node:worker_threads';
import { answerBodies } from '../../platform/threads/index.ts';
import {
  type ReportProcessor,
  type ReportQuestion,
  readReport,
  renderReport,
} from '../../services/reports/index.ts';
import { reportMaker } from '../node-data/text-message.ts';
import type { ReportWorkerData } from './agent-reports.ts';

const { hasUnchangedResources, producer, wanted } = workerData as ReportWorkerData;

const makers: Readonly<Record<string, Pick<ReportProcessor, 'make'>>> = {
  http: { make: (_report, body) => renderReport(body) },
  log: { make: ({ logs }) => logs },
  puppetdb: { make: reportMaker({ producer, hasUnchangedResources, now: () => new Date() }) },
  store: { make: (_report, body) => renderReport(body) },
};

const processors = wanted.flatMap((name) => {
  const maker = makers[name];
  return maker === undefined ? [] : [[name, maker] as const];
});
const byName = new Map(processors);
answerBodies((question: ReportQuestion) => readReport(question, byName));
