/** HTTP for reports: decode, call, encode. */

import { type Route, route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  contentTypes,
  environmentParameter,
  indirected,
  internBody,
  unknownEnvironment,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ReportService } from './report-service.ts';
import type { EnvironmentTerminus } from './termini.ts';
import { decodeReport } from './wire.ts';

/** A first run with debug logs of thousands of resources. */
const maxBodyBytes = 128 * 1024 * 1024;

export function reportRoutes(
  service: ReportService,
  environments: EnvironmentTerminus,
  log: Logger,
): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: '/puppet/v3/report/:certname',
      allow: { kind: 'rules' },
      maxBodyBytes,
      handle: indirected(log, async (request) => {
        const environment = environmentParameter(request.query);
        if (!environments.hasEnvironment(environment)) throw unknownEnvironment(environment);
        const format = acceptedFormat(request.headers.accept ?? 'application/json', ['json', 'pson']);
        const certname = request.params['certname'] ?? '';
        const { report, body } = await internBody(request, (value, text) => ({
          report: decodeReport(value, certname),
          body: text,
        }));
        const names = await service.receive(report, body);
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
