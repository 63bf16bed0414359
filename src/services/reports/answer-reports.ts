/** What the thread does that reads large reports. */

import type { MessagePort } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import { internBytes } from '../../platform/indirection/index.ts';
import { makeReport } from './make-report.ts';
import type { ReportAnswer, ReportQuestion } from './report-thread.ts';
import type { ReportProcessor } from './termini.ts';
import { decodeReport } from './wire.ts';

/** Answers what a `ReportThread` asks. @param processors - those that want reports, by name */
export function answerReports(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  processors: ReadonlyMap<string, Pick<ReportProcessor, 'make'>>,
): void {
  port.on('message', (question: ReportQuestion) => port.postMessage(answer(question, processors)));
}

function answer(
  { bytes, certname, format }: ReportQuestion,
  processors: ReadonlyMap<string, Pick<ReportProcessor, 'make'>>,
): ReportAnswer {
  try {
    return internBytes(format, bytes, (value, text) => {
      const report = decodeReport(value, certname);
      const { environment, host, status } = report;
      const made = makeReport(processors, Array.from(processors.keys()), report, text);
      return { head: { certname, environment, host, status }, made };
    });
  } catch (error) {
    if (error instanceof ServiceError) return { reason: error.reason, message: error.message };
    throw error;
  }
}
