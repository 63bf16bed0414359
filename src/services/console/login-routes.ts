/** Log in by a form that works without scripts, and log out. */

import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { BuiltConsole, PageTexts } from './built-console.ts';
import { LoginDelays } from './login-delays.ts';
import { endedCookie, refuseForeignForm, sessionCookie, sessionText } from './session-requests.ts';
import type { ConsoleSessions } from './sessions.ts';

const anyone: Access = { kind: 'anyone' };

/** Why somebody sees the page who was logged in. */
const reasons: Readonly<Record<string, string>> = {
  ended: 'Your session has ended. Log in again.',
  'logged-out': 'You are logged out.',
};

export interface LoginOptions {
  readonly nowMs: () => number;
  /** Called with a session that somebody has ended. */
  readonly onLogout: (session: string) => void;
}

export function loginRoutes(
  files: BuiltConsole,
  sessions: ConsoleSessions,
  { nowMs, onLogout }: LoginOptions,
): readonly Route[] {
  const form = new LoginForm(files, sessions, nowMs);
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
  ];
}

interface Attempt {
  readonly login: string;
  readonly password: string;
  /** Where the browser goes afterwards. */
  readonly next: string;
  readonly address: string;
}

class LoginForm {
  private readonly files: BuiltConsole;
  private readonly sessions: ConsoleSessions;
  private readonly delays: LoginDelays;

  constructor(files: BuiltConsole, sessions: ConsoleSessions, nowMs: () => number) {
    this.files = files;
    this.sessions = sessions;
    this.delays = new LoginDelays(nowMs);
  }

  show(query: URLSearchParams): Promise<HttpResponse> {
    const notice = reasons[query.get('reason') ?? ''] ?? '';
    return this.page(200, { next: ownPath(query.get('next')), notice });
  }

  async submit({ body, headers, identity }: HttpRequest): Promise<HttpResponse> {
    refuseForeignForm(headers);
    const form = new URLSearchParams((await body()).toString('utf8'));
    const attempt: Attempt = {
      login: form.get('login')?.trim() ?? '',
      password: form.get('password') ?? '',
      next: ownPath(form.get('next')),
      address: identity.address,
    };
    const seconds = this.delays.secondsLeft(attempt.login, attempt.address);
    if (seconds === 0) return await this.tryOut(attempt);
    const response = await this.refused(429, attempt, `Too many wrong passwords: try again in ${seconds} s`);
    return { ...response, headers: { ...response.headers, 'Retry-After': String(seconds) } };
  }

  private async tryOut(attempt: Attempt): Promise<HttpResponse> {
    const { address, login, next, password } = attempt;
    try {
      const text = await this.sessions.login(login, password, address);
      this.delays.noteSuccess(login, address);
      if (await this.mayEnter(text, address))
        return { status: 303, headers: { Location: next, 'Set-Cookie': sessionCookie(text) } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.reason === 'unavailable') return await this.refused(503, attempt, error.message);
      if (error.reason !== 'unauthorized') throw error;
      this.delays.noteFailure(login, address);
      return await this.refused(401, attempt, error.message);
    }
    const missing = "none of the user's roles has the permission console_page:view";
    return await this.refused(403, attempt, `${login} may not use the console: ${missing}`);
  }

  /** Ends a session that no page would serve. */
  private async mayEnter(text: string, address: string): Promise<boolean> {
    const user = await this.sessions.identify(text, address);
    if (user?.permits({ objectType: 'console_page', action: 'view' }) === true) return true;
    if (user !== undefined) await this.sessions.end(text, user);
    return false;
  }

  private refused(status: number, { login, next }: Attempt, error: string): Promise<HttpResponse> {
    return this.page(status, { error, login, next });
  }

  private async page(status: number, texts: PageTexts): Promise<HttpResponse> {
    const disclaimer = (await this.sessions.loginText()) ?? '';
    return this.files.page('login.html', { ...texts, disclaimer }, status);
  }
}

/** The path of a page of ours: a link to the login page must not send people elsewhere. */
function ownPath(next: string | null): string {
  const base = 'https://console.invalid';
  if (next === null || !next.startsWith('/') || !URL.canParse(next, base)) return '/';
  const { hash, origin, pathname, search } = new URL(next, base);
  // Browsers read `//host` and `/\\host` as other hosts.
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}
