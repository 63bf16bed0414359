/**
 * `/console-api/v1/exports`: whole lists as files, written as they are read. Programs get the file as the answer of a POST. Browsers get
 * an address for it, so that they write it to the disk as it comes, and the page can tell what was wrong before a download begins.
 */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  json,
  type Route,
  route,
  type UserIdentity,
} from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { type ExportDownload, ExportDownloadWire, ExportRequestWire } from '../wire.ts';
import { BegunExport } from './begun-export.ts';
import type { ExportDownloads } from './export-downloads.ts';
import type { ExportParts } from './export-lists.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };
const path = '/console-api/v1/exports';

export function exportRoutes(parts: ExportParts, downloads: ExportDownloads): readonly Route[] {
  const begin = async ({ body, signal }: HttpRequest) =>
    await BegunExport.begin(parts, consoleBodies.decode(ExportRequestWire, await body()), signal);
  return [
    route({
      method: 'POST',
      path,
      allow,
      shapes: { body: ExportRequestWire },
      handle: async (request) => (await begin(request)).answer(request.signal),
    }),
    route({
      method: 'POST',
      path: `${path}/downloads`,
      allow,
      shapes: { body: ExportRequestWire, answer: ExportDownloadWire },
      async handle(request) {
        const { id: user } = userOf(request);
        const id = downloads.keep(user, await begin(request));
        return json({ path: `${path}/downloads/${id}` } satisfies ExportDownload, 201);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/downloads/:id`,
      allow,
      handle(request) {
        const begun = downloads.take(userOf(request).id, request.params['id'] ?? '');
        if (begun !== undefined) return begun.answer(request.signal);
        throw new ServiceError(
          'not-found',
          'There is no such download: each is there once, for a short while',
        );
      },
    }),
  ];
}

function userOf({ identity }: HttpRequest): UserIdentity {
  if (identity.kind !== 'user') throw new Error('only users have permissions');
  return identity;
}
