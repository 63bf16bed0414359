/** A new password by a link that an administrator has sent: a form that works without scripts. */

import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { BuiltConsole } from './built-console.ts';
import { refuseForeignForm } from './session-requests.ts';
import type { ConsoleSessions } from './sessions.ts';

const anyone: Access = { kind: 'anyone' };
const path = '/auth/reset';

export function resetRoutes(files: BuiltConsole, sessions: ConsoleSessions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path,
      allow: anyone,
      // The query has the token.
      isPathSecret: true,
      handle: ({ query }) => files.page('reset.html', { token: query.get('token') ?? '' }),
    }),
    route({
      method: 'POST',
      path,
      allow: anyone,
      isPathSecret: true,
      handle: (request) => submit(files, sessions, request),
    }),
  ];
}

async function submit(
  files: BuiltConsole,
  sessions: ConsoleSessions,
  { body, headers, identity }: HttpRequest,
): Promise<HttpResponse> {
  refuseForeignForm(headers);
  const form = new URLSearchParams((await body()).toString('utf8'));
  const token = form.get('token') ?? '';
  const password = form.get('password') ?? '';
  const refuse = (status: number, error: string) => files.page('reset.html', { token, error }, status);
  if (password !== form.get('repeated')) return refuse(400, 'The two passwords are not the same');
  try {
    await sessions.resetPassword(token, password, identity.address);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.reason === 'bad-request') return refuse(400, error.message);
    if (error.reason !== 'forbidden') throw error;
    return refuse(
      403,
      'This link is not valid, or has been used already. Ask an administrator for a new one.',
    );
  }
  return { status: 303, headers: { Location: '/login?reason=password-set' } };
}
