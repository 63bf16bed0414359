/** `/metrics/v2`: Jolokia, which telegraf, puppet_metrics_collector and exporters for Prometheus speak. */

import { type Access, type HttpResponse, type Route, route } from '../../../platform/http/index.ts';
import type { Beans } from '../metrics/beans.ts';
import { answerJolokia, invalidJson, readJolokiaPath } from './jolokia.ts';

const mount = '/metrics/v2';
/** Collectors ask for a few hundred beans at once. */
const maxBodyBytes = 1024 * 1024;

export function metricsRoutes(beans: Beans, allow: Access, now: () => Date): readonly Route[] {
  const answer = async (request: unknown): Promise<HttpResponse> =>
    encoded(await answerJolokia(beans, request, now().getTime()));
  const post = async (body: Buffer): Promise<HttpResponse> => {
    let request: unknown;
    try {
      request = JSON.parse(body.toString('utf8'));
    } catch {
      // It is said in the answer.
      return encoded(invalidJson());
    }
    return await answer(request);
  };
  return [mount, `${mount}/*`].flatMap((path) => [
    route({
      method: 'GET',
      path,
      allow,
      takesInPath: ['empty', 'slash', 'backslash'],
      handle: ({ params }) => {
        const request = readJolokiaPath(params['*'] ?? '');
        return 'type' in request ? answer(request) : encoded(request);
      },
    }),
    route({
      method: 'POST',
      path,
      allow,
      takesInPath: ['empty', 'slash', 'backslash'],
      maxBodyBytes,
      handle: async (request) => post(await request.body()),
    }),
  ]);
}

function encoded(value: unknown): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' },
    body: JSON.stringify(value),
  };
}
