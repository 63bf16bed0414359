/** `/pdb/meta/v1`: version and time. */

import { type Access, type Route, route } from '../../../platform/http/index.ts';
import { jsonAnswer, textAnswer } from './text-answer.ts';

/** The PuppetDB whose API this is: clients decide by it what they send. */
export const puppetDbVersion = '7.12.1';

export function metaRoutes(allow: Access, now: () => Date): readonly Route[] {
  const get = (path: string, value: () => unknown): Route =>
    route({
      method: 'GET',
      path,
      allow,
      handle: ({ query }) => {
        const [unknown] = query.keys();
        if (unknown === undefined) return jsonAnswer(JSON.stringify(value()));
        return textAnswer(`Unsupported query parameter '${unknown}'`, 400);
      },
    });
  return [
    get('/pdb/meta/v1/version', () => ({ version: puppetDbVersion })),
    get('/pdb/meta/v1/version/latest', () => ({ newer: false, version: puppetDbVersion, link: null })),
    get('/pdb/meta/v1/server-time', () => ({ server_time: now().toISOString() })),
  ];
}
