/** How a browser shows its session, and how one that another site sends is told apart. */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest, SessionAuthenticator } from '../../platform/http/index.ts';
import { guarded, requireRecentLogin } from './recent-login.ts';
import type { ConsoleSessions } from './sessions.ts';

/** The prefix makes browsers take it only with `Secure`, `Path=/` and no domain (RFC 6265bis, 4.1.3.2). */
const cookieName = '__Host-bunraku';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function sessionCookie(text: string): string {
  return `${cookieName}=${text}; ${attributes}`;
}

export const endedCookie = `${cookieName}=; ${attributes}; Max-Age=0`;

/** @returns `undefined` where the browser shows none */
export function sessionText(headers: IncomingHttpHeaders): string | undefined {
  return cookieOf(headers, cookieName);
}

/** A login at an identity provider that has begun. */
const pendingName = '__Host-bunraku-login';
const pendingSeconds = 600;

/**
 * Other sites may send it with a link, as an OpenID provider does, and with a form only where a SAML provider has to.
 *
 * @param returnsBy - how the provider sends the browser back
 */
export function pendingCookie(text: string, returnsBy: 'link' | 'form'): string {
  return `${pendingName}=${text}; ${pendingAttributes(returnsBy)}; Max-Age=${pendingSeconds}`;
}

export const endedPendingCookie = `${pendingName}=; ${pendingAttributes('link')}; Max-Age=0`;

/** @returns `undefined` where no login has begun in this browser */
export function pendingText(headers: IncomingHttpHeaders): string | undefined {
  return cookieOf(headers, pendingName);
}

function pendingAttributes(returnsBy: 'link' | 'form'): string {
  return `Path=/; Secure; HttpOnly; SameSite=${returnsBy === 'link' ? 'Lax' : 'None'}`;
}

function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return found === '' ? undefined : found;
}

/**
 * For the APIs: users by the cookies of their sessions. What changes something has to come from our own pages: browsers say where
 * a request comes from, and other sites can't set our header without asking first, which is refused.
 */
export function sessionAuthenticator(sessions: ConsoleSessions, nowMs: () => number): SessionAuthenticator {
  return async (request, address) => {
    const text = sessionText(request.headers);
    if (text === undefined) return undefined;
    const user = await sessions.identify(text, address);
    if (user === undefined || isSafe(request.method)) return user;
    refuseForeign(request.headers);
    const age = { begunAt: await sessions.beginOf(text), nowMs: nowMs() };
    requireRecentLogin(request.method, request.path, age);
    return guarded(user, age);
  };
}

/** @throws ServiceError `forbidden` for a form that another site may have sent */
export function refuseForeignForm(headers: IncomingHttpHeaders): void {
  if (!isOfOwnPage(headers)) throw foreign('The form has to be sent by the login page of this console');
}

function refuseForeign(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? 'application/json';
  if (!isOfOwnPage(headers) || headers['x-bunraku-console'] !== '1')
    throw foreign('A request with a session has to come from the console itself; others show a token');
  if (!/^application\/json\b/i.test(type))
    throw foreign(`A request with a session has the content type application/json, not ${type}`);
}

/** `Sec-Fetch-Site` can't be set by scripts; browsers from before 2023 have only `Origin`. */
function isOfOwnPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin';
  return host !== undefined && origin === `https://${host}`;
}

function isSafe(method: HttpRequest['method']): boolean {
  return method === 'GET' || method === 'HEAD';
}

function foreign(message: string): ServiceError {
  return new ServiceError('forbidden', message, { kind: 'bunraku.console/foreign-request' });
}
