/** What the report service needs from elsewhere. */

import type { Format } from '../../platform/indirection/index.ts';
import type { Report, ReportHead } from './wire.ts';

export interface EnvironmentTerminus {
  hasEnvironment(name: string): boolean;
}

/** Something that is done with each report, under a name that the setting `reports` lists. */
export interface ReportProcessor<M = unknown> {
  /**
   * What the processor needs of a report. It takes long with a large one, whose is made in another thread: it must be pure, and what
   * it returns must be something that can be cloned.
   *
   * @param body - the report as it was sent
   */
  make(report: Report, body: string): M;
  /**
   * @param made - of the report by `make`
   * @throws ServiceError when the agent must hear of it, because the report would be lost; everything else is logged
   */
  process(report: ReportHead, made: M): Promise<void>;
}

/** What `make` has made, by the name of the processor; an error where it threw one. */
export type MadeReport = ReadonlyMap<string, { readonly value: unknown } | { readonly error: Error }>;

/** Reads large reports in another thread. */
export interface ReportReader {
  /**
   * @param bytes - of the body; they belong to the reader from now on
   * @throws ServiceError as `internBytes`, or `unavailable` when the thread has no memory for the report
   */
  read(
    bytes: Uint8Array,
    format: Format,
    certname: string,
  ): Promise<{ readonly head: ReportHead; readonly made: MadeReport }>;
}
