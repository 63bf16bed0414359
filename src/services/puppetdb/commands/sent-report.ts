/** A report as it was sent: logs and metrics are kept as they are and never taken apart. */

import { decodeWith } from './bad-command.ts';
import { type LiftOptions, liftPayload, parsePayload, withoutNul } from './payload.ts';
import { topLevelMembers } from './top-level-members.ts';
import { type Report, ReportWire } from './wire.ts';

export interface SentReport {
  readonly report: Report;
  /** JSON; `null` where the report has none. */
  readonly metrics: string | null;
  readonly logs: string | null;
}

/** @throws BadCommand when it is no report */
export function readSentReport(payload: Buffer, lifting: LiftOptions): SentReport {
  const report = decodeWith(ReportWire, liftPayload(parsePayload(payload, false), lifting));
  const members = topLevelMembers(payload);
  const textOf = (name: 'metrics' | 'logs'): string | null => {
    if (report[name] === null) return null;
    const span = members?.get(name);
    if (span === undefined) return JSON.stringify(report[name]);
    return withoutNul(payload.toString('utf8', span.start, span.end));
  };
  return { report, metrics: textOf('metrics'), logs: textOf('logs') };
}
