/** A report as it was sent: logs and metrics are kept as they are and never taken apart. */

import { BadCommand } from './bad-command.ts';
import { type LiftOptions, liftPayload, parsePayload, withoutNul } from './payload.ts';
import { type Span, topLevelMembers } from './top-level-members.ts';
import { decodeReport, type Report } from './wire.ts';

export interface SentReport {
  readonly report: Report;
  /** JSON, not checked yet when it was found in the payload; `null` where the report has none. */
  readonly metrics: string | null;
  readonly logs: string | null;
}

/** @throws BadCommand when it is no report */
export function readSentReport(payload: Buffer, lifting: LiftOptions): SentReport {
  const members = topLevelMembers(payload);
  if (members === undefined) return readWhole(payload, lifting);
  const document = (name: string): string | null => {
    const span = members.get(name);
    return span === undefined ? null : documentText(name, payload, span);
  };
  const rest = [...members].filter(([name]) => name !== 'logs' && name !== 'metrics');
  const text = rest.map(
    ([name, { start, end }]) => `${JSON.stringify(name)}:${payload.toString('utf8', start, end)}`,
  );
  const report = decodeReport(liftPayload(parsePayload(`{${text.join(',')}}`, false), lifting));
  return { report, metrics: document('metrics'), logs: document('logs') };
}

function readWhole(payload: Buffer, lifting: LiftOptions): SentReport {
  const value = liftPayload(parsePayload(payload.toString('utf8'), false), lifting);
  const { metrics = null, logs = null } = Object(value) as Readonly<Record<string, unknown>>;
  const text = (document: unknown): string | null => (document === null ? null : JSON.stringify(document));
  return { report: decodeReport(value), metrics: text(metrics), logs: text(logs) };
}

/** A list or nothing. */
function documentText(name: string, payload: Buffer, { start, end }: Span): string | null {
  const text = payload.toString('utf8', start, end);
  if (text === 'null') return null;
  if (!text.startsWith('[')) throw new BadCommand(`${name}: Invalid input: expected array`);
  return withoutNul(text);
}
