/** Takes reports: keeps them, then hands them to the configured processors. */

import type { Logger } from '../../platform/log/index.ts';
import type { ReportProcessor, ReportSink } from './termini.ts';
import type { Report } from './wire.ts';

export interface ReportServiceOptions {
  readonly sink: ReportSink;
  /** The setting `reports`: names of processors, or only `none`. */
  readonly reports: readonly string[];
  /** What there is besides `store`, which the sink does for all reports. */
  readonly processors: ReadonlyMap<string, ReportProcessor>;
  readonly log: Logger;
}

export class ReportService {
  readonly #options: ReportServiceOptions;

  constructor(options: ReportServiceOptions) {
    this.#options = options;
  }

  /**
   * @param body - the report as it was sent
   * @returns what the agent is told: the names of the processors; `null` when there are none
   */
  async receive(report: Report, body: string): Promise<readonly string[] | null> {
    const { sink, reports, log } = this.#options;
    const { certname, host } = report;
    if (host !== undefined && host !== certname) {
      log.warn({ certname, host }, 'report names another node, kept under the certname');
    }
    await sink.save(report, body);
    if (reports.length === 1 && reports[0] === 'none') return null;
    for (const name of reports) await this.#process(name, report);
    return reports;
  }

  async #process(name: string, report: Report): Promise<void> {
    const { processors, log } = this.#options;
    const processor = processors.get(name);
    if (processor === undefined) {
      if (name !== 'store') log.warn({ report: name }, 'no report processor of this name');
      return;
    }
    try {
      await processor.process(report);
    } catch (err) {
      log.error({ report: name, certname: report.certname, err }, 'report processor failed');
    }
  }
}
