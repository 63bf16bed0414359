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

/** Members of many groups have long assertions. */
const maxResponseBytes = 128 * 1024;
const anyone: Access = { kind: 'anyone' };

const statuses: Partial<Record<ServiceError['reason'], number>> = {
  unauthorized: 401,
  'not-found': 404,
  unavailable: 503,
};

export function providerLoginRoutes(files: BuiltConsole, sessions: ConsoleSessions): readonly Route[] {
  const page = new LoginPage(files, sessions);
  return [...openIdRoutes(page, sessions), ...samlRoutes(page, sessions)];
}

function openIdRoutes(page: LoginPage, sessions: ConsoleSessions): readonly Route[] {
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
      handle: (request) =>
        shown(page, request, () => {
          const text = `${callbackUrl(request)}?${request.query}`;
          return finish(page, sessions, { request, name: request.params['name'] ?? '', text });
        }),
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

function samlRoutes(page: LoginPage, sessions: ConsoleSessions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/saml/v1/meta',
      allow: anyone,
      handle: async () => ({
        status: 200,
        headers: { 'Content-Type': 'application/samlmetadata+xml' },
        body: await sessions.providers.samlMetadata(),
      }),
    }),
    route({
      method: 'POST',
      path: '/saml/v1/acs',
      allow: anyone,
      maxBodyBytes: maxResponseBytes,
      handle: (request) =>
        shown(page, request, async () => {
          const form = new URLSearchParams((await request.body()).toString('utf8'));
          return await finish(page, sessions, {
            request,
            name: 'saml',
            text: form.get('SAMLResponse') ?? '',
          });
        }),
    }),
  ];
}

async function begin({ providers }: ConsoleSessions, request: HttpRequest): Promise<HttpResponse> {
  const next = ownPath(request.query.get('next'));
  const name = request.params['name'] ?? '';
  const { pending, returnsBy, url } = await providers.begin(name, callbackUrl(request), next);
  return { status: 303, headers: { Location: url, 'Set-Cookie': pendingCookie(pending, returnsBy) } };
}

async function finish(
  page: LoginPage,
  sessions: ConsoleSessions,
  { name, request, text }: { readonly request: HttpRequest; readonly name: string; readonly text: string },
): Promise<HttpResponse> {
  const { headers, identity } = request;
  const answer = { text, pending: pendingText(headers) ?? '' };
  const { next, session } = await sessions.providers.finish(name, answer, identity.address);
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
