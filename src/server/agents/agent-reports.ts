/** What becomes of reports, as the setting `reports` says. */

import { readFile } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { ifThere } from '../../lib/if-there.ts';
import { webPost } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { BodyThread } from '../../platform/threads/index.ts';
import {
  httpProcessor,
  logProcessor,
  type ReportAnswer,
  type ReportProcessor,
  type ReportQuestion,
  ReportService,
  type ReportThread,
  storeProcessor,
} from '../../services/reports/index.ts';
import type { Alert } from '../../services/status/index.ts';
import { workerFile } from '../worker-files.ts';

type ReportSettings = Pick<
  Settings,
  | 'hostCert'
  | 'hostPrivKey'
  | 'localCaCert'
  | 'reportDir'
  | 'reportIncludeSystemStore'
  | 'reportUrl'
  | 'reports'
>;

/** What the thread for large reports is given. */
export interface ReportWorkerData {
  /** Names of processors. */
  readonly wanted: readonly string[];
  readonly producer: string;
  readonly hasUnchangedResources: boolean;
}

export function reportThread(data: ReportWorkerData): ReportThread {
  return new BodyThread<ReportQuestion, ReportAnswer>({
    create: () => new Worker(workerFile('report-worker'), { name: 'reports', workerData: data }),
    what: 'reports',
  });
}

/** The agent waits for the answer of the report collector. */
const postTimeoutMs = 60_000;

/** Names processors that do not exist in the log. @param puppetDb - the processor `puppetdb` */
export function createReportService(
  settings: ReportSettings,
  puppetDb: ReportProcessor,
  log: Logger,
): ReportService {
  const service = new ReportService({
    reports: settings.reports,
    processors: new Map([
      ['http', httpProcessor({ url: settings.reportUrl, post: postTo(settings), log })],
      ['log', logProcessor(log)],
      ['puppetdb', puppetDb],
      ['store', storeProcessor(settings.reportDir, () => new Date())],
    ]),
    log,
  });
  for (const { message } of reportAlerts(service)) log.warn({}, message);
  return service;
}

/** What the status says of the setting. */
export function reportAlerts(service: ReportService): readonly Alert[] {
  return service.unknown.map((name) => ({
    severity: 'warning',
    message: `No report named '${name}': the setting reports knows ${service.known.join(', ')} and none`,
  }));
}

/** Files are read for each report: certificates are renewed while the server runs. */
function postTo(settings: ReportSettings) {
  const { hostCert, hostPrivKey, localCaCert, reportIncludeSystemStore, reportUrl: url } = settings;
  const read = (file: string) => ifThere(readFile(file, 'utf8'));
  return async (body: string, headers: Readonly<Record<string, string>>) => {
    const [ca, certificate, privateKey] = await Promise.all([localCaCert, hostCert, hostPrivKey].map(read));
    const system = reportIncludeSystemStore ? getCACertificates('system') : [];
    const credentials = { ca: ca === undefined ? system : [ca, ...system], certificate, privateKey };
    return webPost({ url, headers, body, credentials, timeoutMs: postTimeoutMs });
  };
}
