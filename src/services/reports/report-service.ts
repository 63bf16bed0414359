/** Takes reports and hands them to the configured processors. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import { makeReport } from './make-report.ts';
import type { MadeReport, ReportProcessor } from './termini.ts';
import type { Report, ReportHead } from './wire.ts';

export interface ReportServiceOptions {
  /** The setting `reports`: names of processors, or only `none`. */
  readonly reports: readonly string[];
  readonly processors: ReadonlyMap<string, ReportProcessor>;
  readonly log: Logger;
}

export class ReportService {
  private readonly options: ReportServiceOptions;

  constructor(options: ReportServiceOptions) {
    this.options = options;
  }

  /** Names of processors. */
  get known(): readonly string[] {
    return Array.from(this.options.processors.keys());
  }

  /** Names of the processors that reports are handed to. */
  get wanted(): readonly string[] {
    const { processors, reports } = this.options;
    return reports.filter((name) => processors.has(name));
  }

  /** Names in the setting that no processor has. */
  get unknown(): readonly string[] {
    const { processors, reports } = this.options;
    if (isNone(reports)) return [];
    return reports.filter((name) => !processors.has(name));
  }

  /**
   * @param body - the report as it was sent
   * @returns what the agent is told: the names of the processors; `null` when there are none
   * @throws ServiceError when a processor cannot keep the report
   */
  async receive(report: Report, body: string): Promise<readonly string[] | null> {
    return await this.receiveMade(report, makeReport(this.options.processors, this.wanted, report, body));
  }

  /** As `receive`, of a report that another thread has read. */
  async receiveMade(report: ReportHead, made: MadeReport): Promise<readonly string[] | null> {
    const { reports, log } = this.options;
    const { certname, host } = report;
    if (host !== undefined && host !== certname) {
      log.warn({ certname, host }, 'report names another node, kept under the certname');
    }
    if (isNone(reports)) return null;
    for (const name of reports) await this.process(name, report, made);
    return reports;
  }

  private async process(name: string, report: ReportHead, made: MadeReport): Promise<void> {
    const { processors, log } = this.options;
    const processor = processors.get(name);
    if (processor === undefined) {
      log.warn({ certname: report.certname }, `No report named '${name}'`);
      return;
    }
    try {
      const own = made.get(name);
      if (own === undefined || 'error' in own)
        throw own?.error ?? new Error('the report was not made for it');
      await processor.process(report, own.value);
    } catch (err) {
      if (err instanceof ServiceError) throw err;
      log.error({ report: name, certname: report.certname, err }, 'report processor failed');
    }
  }
}

function isNone(reports: readonly string[]): boolean {
  return reports.length === 1 && reports[0] === 'none';
}
