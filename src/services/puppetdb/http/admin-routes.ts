/** `/pdb/admin/v1`: archives, cleaning, statistics. */

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { multipartBoundary, multipartPart } from '../../../lib/multipart-part.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { noAnonymization, profileNames } from '../anonymization/profile.ts';
import { QueryError } from '../query/query-error.ts';
import type { CleanRequest } from '../store/garbage.ts';
import { readAdminCommand } from './admin-command.ts';
import { errorJson, jsonAnswer } from './text-answer.ts';

/** What the routes ask for. */
export interface AdminTerminus {
  /** A tar file. @param profile - of `profileNames` */
  exportArchive(profile: string, signal: AbortSignal): Promise<Readable>;
  /** @param archive - tar, gzipped @throws ServiceError `bad-request` when it is none */
  importArchive(archive: Readable, signal: AbortSignal): Promise<number>;
  stats(signal: AbortSignal): Promise<unknown>;
  /** @returns false when another one is in progress */
  clean(request: CleanRequest): Promise<boolean>;
  deleteNode(certname: string): Promise<void>;
}

const archivePath = '/pdb/admin/v1/archive';

/** Archives of large fleets are read as fast as they are carried out. */
const timeoutMs = 6 * 3_600_000;

export function adminRoutes(administration: AdminTerminus, allow: Access, now: () => Date): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: archivePath,
      allow,
      timeoutMs,
      handle: (request) => exportAnswer(administration, request, now()),
    }),
    route({
      method: 'POST',
      path: archivePath,
      allow,
      timeoutMs,
      handle: (request) => importAnswer(administration, request),
    }),
    route({
      method: 'POST',
      path: '/pdb/admin/v1/cmd',
      allow,
      timeoutMs,
      handle: async (request) => commandAnswer(administration, (await request.body()).toString('utf8')),
    }),
    ...(['GET', 'POST'] as const).map((method) =>
      route({
        method,
        path: '/pdb/admin/v1/summary-stats',
        allow,
        timeoutMs,
        handle: async ({ signal }) => jsonAnswer(JSON.stringify(await administration.stats(signal))),
      }),
    ),
  ];
}

async function exportAnswer(
  administration: AdminTerminus,
  { query, signal }: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const profile = query.get('anonymization_profile') ?? noAnonymization;
  // The reference shows everything for a name that it does not know.
  if (!profileNames.includes(profile)) {
    const known = profileNames.join(', ');
    return errorJson(`There is no anonymization profile '${profile}'; there are ${known}`, 400);
  }
  const tar = await administration.exportArchive(profile, signal);
  const body = createGzip();
  tar.on('error', (error) => body.destroy(error)).pipe(body);
  body.on('close', () => tar.destroy());
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream; charset=utf-8',
      'content-disposition': `attachment; filename=puppetdb-export-${now.toISOString()}.tgz`,
    },
    body,
  };
}

/** The archive is a part of a form, as the reference has it, or all of the body. */
async function importAnswer(administration: AdminTerminus, request: HttpRequest): Promise<HttpResponse> {
  const boundary = multipartBoundary(request.headers['content-type']);
  const body = request.stream();
  const archive =
    boundary === undefined
      ? body
      : Readable.from(multipartPart(body, boundary, 'archive'), { objectMode: false });
  try {
    await administration.importArchive(archive, request.signal);
  } catch (error) {
    // What still comes is read and dropped: a client that is not done sending would never see the answer.
    body.resume();
    if (error instanceof ServiceError && error.reason !== 'unavailable') return errorJson(error.message, 400);
    if (error instanceof RangeError) return errorJson(`The archive cannot be read: ${error.message}`, 400);
    throw error;
  }
  return jsonAnswer('{"ok":true}');
}

async function commandAnswer(administration: AdminTerminus, body: string): Promise<HttpResponse> {
  try {
    const command = readAdminCommand(body);
    if (command.kind === 'delete') {
      await administration.deleteNode(command.certname);
      return jsonAnswer(JSON.stringify({ deleted: command.certname }));
    }
    if (await administration.clean(command.request)) return jsonAnswer('{"ok":true}');
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return errorJson(error.message, 400);
  }
  const conflict = { kind: 'conflict', msg: 'Another cleanup is already in progress', details: null };
  return jsonAnswer(JSON.stringify(conflict), {}, 409);
}
