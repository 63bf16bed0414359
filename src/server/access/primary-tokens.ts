/** Tokens of users on a host that has none of its own: the primary says whose they are, and what they permit. */

import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import type { TokenAuthenticator } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

const knownPort = 4433;
const timeoutMs = 10_000;
const UserWire = z.object({ user_id: z.string(), login: z.string() });
const InstancesWire = z.array(z.string());

/** The primary's APIs of users and groups, without a slash at its end. */
export function consoleServicesUrl(
  primaryUrl: string,
  { consoleServicesPort: port }: Pick<Settings, 'consoleServicesPort'>,
): string {
  const url = new URL(primaryUrl);
  return `https://${url.hostname}:${port === 'auto' || port === 0 ? knownPort : port}`;
}

/** @param known - the permissions that the routes of the port ask for */
export function primaryTokens(
  client: Pick<HttpClient, 'send'>,
  url: string,
  known: readonly { readonly objectType: string; readonly action: string }[],
): TokenAuthenticator {
  const ask = async (method: string, path: string, token: string): Promise<unknown> => {
    const { body, status } = await client.send({
      method,
      url: `${url}/rbac-api/${path}`,
      headers: { 'content-type': 'application/json', 'x-authentication': token },
      ...(method === 'POST' ? { body: JSON.stringify({ token, 'update_last_activity?': true }) } : {}),
      timeoutMs,
    });
    const text = body.toString('utf8');
    if (status === 200) return JSON.parse(text);
    if (status === 401) throw refusal(text);
    throw new ServiceError('unavailable', `The primary does not say what a token permits: status ${status}`);
  };
  return async (token, address) => {
    const user = UserWire.parse(await ask('POST', 'v2/auth/token/authenticate', token));
    const granted = new Map(
      await Promise.all(
        known.map(async ({ action, objectType }) => {
          const answer = await ask('GET', `v1/permitted/${objectType}/${action}`, token);
          return [`${objectType} ${action}`, InstancesWire.parse(answer)] as const;
        }),
      ),
    );
    return {
      kind: 'user',
      id: user.user_id,
      login: user.login,
      permits: ({ action, instance, objectType }) => {
        const instances = granted.get(`${objectType} ${action}`) ?? [];
        if (instances.includes('*')) return true;
        return instance === undefined ? instances.length > 0 : instances.includes(instance);
      },
      address,
    };
  };
}

/** In the primary's words. */
function refusal(text: string): ServiceError {
  const { kind, msg } = RefusalWire.parse(JSON.parse(text));
  return new ServiceError('unauthorized', msg, { kind });
}

const RefusalWire = z.object({ kind: z.string(), msg: z.string() });
