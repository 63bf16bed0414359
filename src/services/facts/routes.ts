/** HTTP for facts: decode, call, encode. */

import { type HttpRequest, type Route, route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  bodyFormat,
  contentTypes,
  indirected,
  internBytes,
  RequestFailed,
  requireEnvironment,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type LargeFactsReader, largeBody } from './large-facts.ts';
import type { EnvironmentTerminus, FactSink, TrustedExternalTerminus } from './termini.ts';
import { decodeFacts, type FactSet } from './wire.ts';

/** Facts of large machines (thousands of mounts or packages) have tens of megabytes. */
const maxBodyBytes = 64 * 1024 * 1024;

export interface FactsRouteOptions {
  readonly sink: FactSink;
  readonly environments: EnvironmentTerminus;
  readonly trustedExternal: TrustedExternalTerminus;
  readonly largeFacts: LargeFactsReader;
  readonly log: Logger;
}

export function factsRoutes({
  environments,
  largeFacts,
  log,
  sink,
  trustedExternal,
}: FactsRouteOptions): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: '/puppet/v3/facts/:certname',
      allow: { kind: 'rules' },
      maxBodyBytes,
      handle: indirected(log, async (request) => {
        const environment = requireEnvironment(request.query, environments);
        const format = acceptedFormat(request.headers.accept ?? 'application/json', ['json', 'pson']);
        const facts = await receive(request, largeFacts);
        assertNamed(facts.certname, request.params['certname'] ?? '');
        const { identity, signal } = request;
        const proven = identity.kind === 'certificate' ? identity : undefined;
        const certname = proven?.certname ?? facts.certname;
        await sink.save(facts, environment, {
          authenticated: proven === undefined ? false : 'remote',
          certname,
          extensions: proven?.extensions ?? {},
          external: await trustedExternal.find(certname, signal),
        });
        // What the reference's facts terminus returns; agents do not read it.
        return { status: 200, headers: { 'content-type': contentTypes[format] }, body: '0' };
      }),
    }),
  ];
}

async function receive(request: HttpRequest, largeFacts: LargeFactsReader): Promise<FactSet> {
  const format = bodyFormat(request.headers['content-type'], ['json', 'pson']);
  const bytes = await request.body();
  if (bytes.length > largeBody)
    return await largeFacts.readUpload(bytes, format, request.params['certname'] ?? '');
  return internBytes(format, bytes, decodeFacts);
}

function assertNamed(given: string, asked: string): void {
  if (given === asked) return;
  const [instance, key] = [JSON.stringify(given), JSON.stringify(asked)];
  throw new RequestFailed(`Instance name ${instance} does not match requested key ${key}`);
}
