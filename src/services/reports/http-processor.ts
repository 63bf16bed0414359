/** The report processor `http`: sends each report as YAML to the address in `reporturl`. */

import type { Logger } from '../../platform/log/index.ts';
import { renderReport } from './store-processor.ts';
import type { ReportProcessor } from './termini.ts';

export interface HttpProcessorOptions {
  /** The setting `reporturl`. */
  readonly url: string;
  /** Posts to `url`. @throws Error when nothing answers */
  readonly post: (
    body: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly reason: string }>;
  readonly log: Logger;
}

/** @see Puppet::Reports, `http` */
export function httpProcessor({ log, post, url }: HttpProcessorOptions): ReportProcessor<string> {
  const shown = withoutPassword(url);
  return {
    make: (_report, body) => renderReport(body),
    process: async ({ certname }, yaml) => {
      const answer = await post(yaml, { 'content-type': 'application/x-yaml' });
      if (answer.status >= 200 && answer.status < 300) return;
      log.error(
        { certname },
        `Unable to submit report to ${shown} [${answer.status}] ${answer.reason}`.trimEnd(),
      );
    },
  };
}

/** The log is read by more people than `puppet.conf`. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
