/** HTTP for reports: decode, call, encode. */

import { type HttpRequest, type Route, route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  bodyFormat,
  contentTypes,
  indirected,
  internBytes,
  requireEnvironment,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ReportService } from './report-service.ts';
import type { EnvironmentTerminus, ReportReader } from './termini.ts';
import { decodeReport, type ReportHead } from './wire.ts';

/** In bytes. What is larger is read by another thread: each megabyte takes this one some 15 ms. */
const largeReport = 256 * 1024;

/** A first run with debug logs of thousands of resources. */
const maxBodyBytes = 128 * 1024 * 1024;

export function reportRoutes(
  service: ReportService,
  environments: EnvironmentTerminus,
  log: Logger,
  reader?: ReportReader,
): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: '/puppet/v3/report/:certname',
      allow: { kind: 'rules' },
      maxBodyBytes,
      handle: indirected(log, async (request) => {
        requireEnvironment(request.query, environments);
        const format = acceptedFormat(request.headers.accept ?? 'application/json', ['json', 'pson']);
        const certname = request.params['certname'] ?? '';
        const { head: report, names } = await receive(request, certname, service, reader);
        return {
          status: 200,
          headers: { 'content-type': contentTypes[format] },
          body: JSON.stringify(names),
          logged: {
            message: 'received report',
            fields: { environment: report.environment, outcome: report.status },
          },
        };
      }),
    }),
  ];
}

/** @param reader - absent where all reports are read in this thread */
async function receive(
  request: HttpRequest,
  certname: string,
  service: ReportService,
  reader: ReportReader | undefined,
): Promise<{ readonly head: ReportHead; readonly names: readonly string[] | null }> {
  const format = bodyFormat(request.headers['content-type'], ['json', 'pson']);
  const bytes = await request.body();
  if (reader !== undefined && bytes.length > largeReport) {
    const { head, made } = await reader.read(bytes, format, certname);
    return { head, names: await service.receiveMade(head, made) };
  }
  const { report, body } = internBytes(format, bytes, (value, text) => ({
    report: decodeReport(value, certname),
    body: text,
  }));
  return { head: report, names: await service.receive(report, body) };
}
