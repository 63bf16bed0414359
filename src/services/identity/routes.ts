/** `POST /infrastructure/v1/identity`: on the primary, and passed on by every other server. */

import type { z } from 'zod';
import { type HttpRequest, json, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { IdentityRegister } from './identity-register.ts';
import type { ProofLimit } from './proof-limit.ts';
import { decodeBody, type GrantWire, IdentityWire } from './wire.ts';

export const identityPath = '/infrastructure/v1/identity';
/** A session token of AWS has a kilobyte or two, a signed document four. */
const maxBodyBytes = 32 * 1024;
/** A server without a certificate is a stranger: its proof says who it is. */
const anyone = { kind: 'anyone' } as const;
const timeoutMs = 20_000;

export interface IdentityRouteOptions {
  readonly register: Pick<IdentityRegister, 'prove'>;
  readonly limit: ProofLimit;
  /** Where a request came from, also when a server passed it on. */
  readonly senderAddress: (request: HttpRequest) => string;
}

export function identityRoute({ limit, register, senderAddress }: IdentityRouteOptions): Route {
  return route({
    method: 'POST',
    path: identityPath,
    allow: anyone,
    maxBodyBytes,
    async handle(request) {
      const address = senderAddress(request);
      const claim = decodeBody(IdentityWire, await request.body());
      const { expiresAt, token } = await limit.run(address, () =>
        register.prove(claim, address, request.signal),
      );
      return json({ token, expires_at: expiresAt.toISOString() } satisfies z.infer<typeof GrantWire>);
    },
  });
}

/** On compile servers: those that join may reach no other server. */
export function passedOnIdentityRoute({
  client,
  primaryUrl,
}: {
  readonly client: Pick<HttpClient, 'send'>;
  readonly primaryUrl: string;
}): Route {
  return route({
    method: 'POST',
    path: identityPath,
    allow: anyone,
    maxBodyBytes,
    async handle(request) {
      const { body, headers, status } = await client.send({
        method: 'POST',
        url: primaryUrl + identityPath,
        headers: {
          'content-type': 'application/json',
          'x-bunraku-proxied': '1',
          'x-forwarded-for': request.identity.address,
        },
        body: await request.body(),
        signal: request.signal,
        timeoutMs,
        hasOwnConnection: true,
      });
      const { 'content-type': type, 'retry-after': retryAfter } = headers;
      return {
        status,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
        },
        body,
      };
    },
  });
}
