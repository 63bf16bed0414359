/** HTTP for facts: decode, call, encode. */

import { type Route, route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  contentTypes,
  environmentParameter,
  indirected,
  internBody,
  RequestFailed,
  unknownEnvironment,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { EnvironmentTerminus, FactSink, TrustedExternalTerminus } from './termini.ts';
import { decodeFacts } from './wire.ts';

/** Facts of large machines (thousands of mounts or packages) have tens of megabytes. */
const maxBodyBytes = 64 * 1024 * 1024;

export interface FactsRouteOptions {
  readonly sink: FactSink;
  readonly environments: EnvironmentTerminus;
  readonly trustedExternal: TrustedExternalTerminus;
  readonly log: Logger;
}

export function factsRoutes({
  environments,
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
        const environment = environmentParameter(request.query);
        if (!environments.hasEnvironment(environment)) throw unknownEnvironment(environment);
        const format = acceptedFormat(request.headers.accept ?? 'application/json', ['json', 'pson']);
        const facts = await internBody(request, decodeFacts);
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

function assertNamed(given: string, asked: string): void {
  if (given === asked) return;
  const [instance, key] = [JSON.stringify(given), JSON.stringify(asked)];
  throw new RequestFailed(`Instance name ${instance} does not match requested key ${key}`);
}
