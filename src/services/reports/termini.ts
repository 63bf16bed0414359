/** What the report service needs from elsewhere. */

import type { Report } from './wire.ts';

export interface EnvironmentTerminus {
  hasEnvironment(name: string): boolean;
}

/** Something that is done with each report, under a name that the setting `reports` lists. */
export interface ReportProcessor {
  /**
   * @param body - the report as it was sent
   * @throws ServiceError when the agent must hear of it, because the report would be lost; everything else is logged
   */
  process(report: Report, body: string): Promise<void>;
}
