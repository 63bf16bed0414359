/** What the thread does that reads large reports. */

import { internBytes } from '../../platform/indirection/index.ts';
import { makeReport } from './make-report.ts';
import type { ReportAnswer, ReportQuestion } from './report-thread.ts';
import type { ReportProcessor } from './termini.ts';
import { decodeReport } from './wire.ts';

/**
 * @param processors - those that want reports, by name
 * @throws ServiceError `bad-request`
 */
export function readReport(
  { bytes, certname, format }: ReportQuestion,
  processors: ReadonlyMap<string, Pick<ReportProcessor, 'make'>>,
): ReportAnswer {
  return internBytes(format, bytes, (value, text) => {
    const report = decodeReport(value, certname);
    const { environment, host, status } = report;
    const made = makeReport(processors, Array.from(processors.keys()), report, text);
    return { head: { certname, environment, host, status }, made };
  });
}
