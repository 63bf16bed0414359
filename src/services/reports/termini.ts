/** What the report service needs from elsewhere. */

import type { Report } from './wire.ts';

export interface EnvironmentTerminus {
  hasEnvironment(name: string): boolean;
}

/** Where reports go. */
export interface ReportSink {
  /**
   * Durable when it resolves.
   *
   * @param body - the report as it was sent
   */
  save(report: Report, body: string): Promise<void>;
}

/** Something that is done with each report, under a name that the setting `reports` lists. */
export interface ReportProcessor {
  process(report: Report): Promise<void>;
}
