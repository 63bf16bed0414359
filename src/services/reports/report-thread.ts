/** Reads large reports in a thread. */

import type { Format } from '../../platform/indirection/index.ts';
import { BodyThread } from '../../platform/threads/index.ts';
import type { MadeReport, ReportReader } from './termini.ts';
import type { ReportHead } from './wire.ts';

export interface ReportQuestion {
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly certname: string;
}

export interface ReportAnswer {
  readonly head: ReportHead;
  readonly made: MadeReport;
}

/** A thread that calls `answerReports`. */
export type ReportThread = BodyThread<ReportQuestion, ReportAnswer>;

export function reportReader(thread: ReportThread): ReportReader {
  return { read: (bytes, format, certname) => thread.ask({ bytes, format, certname }, certname) };
}
