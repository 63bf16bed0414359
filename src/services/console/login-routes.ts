/** Log in by a form that works without scripts, and log out. */

import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { BuiltConsole } from './built-console.ts';
import { LoginDelays } from './login-delays.ts';
import { LoginPage, mayEnter, missingPermission, ownPath } from './login-page.ts';
import { resetRoutes } from './reset-routes.ts';
import { endedCookie, refuseForeignForm, sessionCookie, sessionText } from './session-requests.ts';
import type { ConsoleSessions } from './sessions.ts';

const anyone: Access = { kind: 'anyone' };

/** Why somebody sees the page who was logged in. */
const reasons: Readonly<Record<string, string>> = {
  ended: 'Your session has ended. Log in again.',
  'logged-out': 'You are logged out.',
  'password-set': 'Your new password is set. Log in with it.',
};

export interface LoginOptions {
  /** On a clock that is never set. */
  readonly steadyMs: () => number;
  /** Called with a session that somebody has ended. */
  readonly onLogout: (session: string) => void;
}

export function loginRoutes(
  files: BuiltConsole,
  sessions: ConsoleSessions,
  { onLogout, steadyMs }: LoginOptions,
): readonly Route[] {
  const form = new LoginForm(files, sessions, steadyMs);
  return [
    route({ method: 'GET', path: '/login', allow: anyone, handle: ({ query }) => form.show(query) }),
    route({ method: 'POST', path: '/auth/login', allow: anyone, handle: (request) => form.submit(request) }),
    route({
      method: 'POST',
      path: '/auth/logout',
      allow: { kind: 'permission' },
      async handle({ headers, identity }) {
        const text = sessionText(headers);
        if (text !== undefined && identity.kind === 'user') {
          await sessions.end(text, identity);
          onLogout(text);
        }
        return { status: 204, headers: { 'Set-Cookie': endedCookie } };
      },
    }),
    ...resetRoutes(files, sessions),
  ];
}

interface Attempt {
  readonly login: string;
  readonly password: string;
  /** Of users who have a second factor. */
  readonly code: string | undefined;
  /** Where the browser goes afterwards. */
  readonly next: string;
  readonly address: string;
}

class LoginForm {
  private readonly page: LoginPage;
  private readonly sessions: ConsoleSessions;
  private readonly delays: LoginDelays;

  constructor(files: BuiltConsole, sessions: ConsoleSessions, steadyMs: () => number) {
    this.page = new LoginPage(files, sessions);
    this.sessions = sessions;
    this.delays = new LoginDelays(steadyMs);
  }

  show(query: URLSearchParams): Promise<HttpResponse> {
    const notice = reasons[query.get('reason') ?? ''] ?? '';
    return this.page.show(200, { next: ownPath(query.get('next')), notice });
  }

  async submit({ body, headers, identity }: HttpRequest): Promise<HttpResponse> {
    refuseForeignForm(headers);
    const form = new URLSearchParams((await body()).toString('utf8'));
    const attempt: Attempt = {
      login: form.get('login')?.trim() ?? '',
      password: form.get('password') ?? '',
      code: form.get('code')?.trim() || undefined,
      next: ownPath(form.get('next')),
      address: identity.address,
    };
    const seconds = this.delays.secondsLeft(attempt.login, attempt.address);
    if (seconds === 0) return await this.tryOut(attempt);
    const response = await this.refused(429, attempt, `Too many wrong passwords: try again in ${seconds} s`);
    return { ...response, headers: { ...response.headers, 'Retry-After': String(seconds) } };
  }

  private async tryOut(attempt: Attempt): Promise<HttpResponse> {
    const { address, code, login, next, password } = attempt;
    try {
      const text = await this.sessions.login({ login, password, code }, address);
      this.delays.noteSuccess(login, address);
      if (await mayEnter(this.sessions, text, address))
        return { status: 303, headers: { Location: next, 'Set-Cookie': sessionCookie(text) } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.reason === 'unavailable') return await this.refused(503, attempt, error.message);
      if (error.reason !== 'unauthorized') throw error;
      this.delays.noteFailure(login, address);
      return await this.refused(401, attempt, error.message);
    }
    return await this.refused(403, attempt, `${login} may not use the console: ${missingPermission}`);
  }

  private refused(status: number, { login, next }: Attempt, error: string): Promise<HttpResponse> {
    return this.page.show(status, { error, login, next });
  }
}
