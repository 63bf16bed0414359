/** A report as it was sent: logs and metrics are kept as they are and never taken apart. */

import { type Span, topLevelMembers } from '../../../lib/top-level-members.ts';
import { BadCommand } from './bad-command.ts';
import { type LiftOptions, liftPayload, parsePayload, storableBytes } from './payload.ts';
import { decodeReport, type Report } from './wire.ts';

export interface SentReport {
  readonly report: Report;
  /** JSON in UTF-8, not checked yet; `null` where the report has none. */
  readonly metrics: Uint8Array | null;
  readonly logs: Uint8Array | null;
}

const nothing = Buffer.from('null');
const openBracket = 0x5b;

/** @throws BadCommand when it is no report */
export function readSentReport(payload: Buffer, lifting: LiftOptions): SentReport {
  const members = topLevelMembers(payload);
  if (members === undefined) return readWhole(payload, lifting);
  const document = (name: string): Uint8Array | null => {
    const span = members.get(name);
    return span === undefined ? null : documentBytes(name, payload, span);
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
  const bytes = (document: unknown): Uint8Array | null =>
    document === null ? null : Buffer.from(JSON.stringify(document));
  return { report: decodeReport(value), metrics: bytes(metrics), logs: bytes(logs) };
}

/** A list or nothing. No text is made of it: logs are the larger part of many reports. */
function documentBytes(name: string, payload: Buffer, { start, end }: Span): Uint8Array | null {
  const bytes = payload.subarray(start, end);
  if (bytes.equals(nothing)) return null;
  if (bytes[0] !== openBracket) throw new BadCommand(`${name}: Invalid input: expected array`);
  return storableBytes(bytes);
}
