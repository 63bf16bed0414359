/** Log in by an identity provider: a link on the login page, and the way back. */

import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { BuiltConsole } from './built-console.ts';
import { LoginPage, mayEnter, missingPermission, ownPath } from './login-page.ts';
import { endedPendingCookie, pendingCookie, pendingText, sessionCookie } from './session-requests.ts';
import type { ConsoleSessions } from './sessions.ts';

const anyone: Access = { kind: 'anyone' };

const statuses: Partial<Record<ServiceError['reason'], number>> = {
  unauthorized: 401,
  'not-found': 404,
  unavailable: 503,
};

export function providerLoginRoutes(files: BuiltConsole, sessions: ConsoleSessions): readonly Route[] {
  const page = new LoginPage(files, sessions);
  return [
    route({
      method: 'GET',
      path: '/auth/sso/:name',
      allow: anyone,
      handle: (request) => shown(page, request, () => begin(sessions, request)),
    }),
    route({
      method: 'GET',
      path: '/auth/oidc/:name/callback',
      allow: anyone,
      // The query holds a code that could become a session.
      isPathSecret: true,
      handle: (request) => shown(page, request, () => finish(page, sessions, request)),
    }),
    route({
      method: 'POST',
      path: '/auth/oidc/:name/logout',
      allow: anyone,
      async handle({ body, params }) {
        const form = new URLSearchParams((await body()).toString('utf8'));
        await sessions.providers.logOut(params['name'] ?? '', form.get('logout_token') ?? '');
        return { status: 200 };
      },
    }),
  ];
}

async function begin({ providers }: ConsoleSessions, request: HttpRequest): Promise<HttpResponse> {
  const next = ownPath(request.query.get('next'));
  const { pending, url } = await providers.begin(request.params['name'] ?? '', callbackUrl(request), next);
  return { status: 303, headers: { Location: url, 'Set-Cookie': pendingCookie(pending) } };
}

async function finish(
  page: LoginPage,
  sessions: ConsoleSessions,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { headers, identity, params, query } = request;
  const answer = { url: `${callbackUrl(request)}?${query}`, pending: pendingText(headers) ?? '' };
  const { next, session } = await sessions.providers.finish(params['name'] ?? '', answer, identity.address);
  if (await mayEnter(sessions, session, identity.address))
    return {
      status: 303,
      headers: { Location: ownPath(next), 'Set-Cookie': [sessionCookie(session), endedPendingCookie] },
    };
  return await page.show(403, { error: `You may not use the console: ${missingPermission}`, next });
}

/** What goes wrong is told on the login page, on which local users can log in. */
async function shown(
  page: LoginPage,
  { query }: HttpRequest,
  answer: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await answer();
  } catch (error) {
    const status = error instanceof ServiceError ? statuses[error.reason] : undefined;
    if (!(error instanceof ServiceError) || status === undefined) throw error;
    return await page.show(status, { error: error.message, next: ownPath(query.get('next')) });
  }
}

/** By the name under which the browser knows the console. The provider knows it too, and refuses others. */
function callbackUrl({ headers: { host = '' }, params }: HttpRequest): string {
  if (!/^[\w.:[\]-]+$/.test(host)) throw new ServiceError('bad-request', 'The header Host names no host');
  return `https://${host}/auth/oidc/${encodeURIComponent(params['name'] ?? '')}/callback`;
}
