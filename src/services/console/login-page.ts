/** The page on which people log in: by a password, or by a link to an identity provider. */

import type { HttpResponse } from '../../platform/http/index.ts';
import type { BuiltConsole } from './built-console.ts';
import type { ConsoleSessions } from './sessions.ts';

interface LoginTexts {
  readonly error?: string;
  readonly notice?: string;
  readonly login?: string;
  /** Where the browser goes afterwards: a path of ours. */
  readonly next: string;
}

export class LoginPage {
  private readonly files: BuiltConsole;
  private readonly sessions: ConsoleSessions;

  constructor(files: BuiltConsole, sessions: ConsoleSessions) {
    this.files = files;
    this.sessions = sessions;
  }

  async show(status: number, texts: LoginTexts): Promise<HttpResponse> {
    const disclaimer = (await this.sessions.loginText()) ?? '';
    const links = (await this.sessions.providers.offered()).map(({ displayName, name }) => ({
      text: `Log in with ${displayName}`,
      href: `/auth/sso/${name}?${new URLSearchParams({ next: texts.next })}`,
    }));
    return this.files.page('login.html', { ...texts, disclaimer, links }, status);
  }
}

/** Ends a session that no page would serve. @returns whether the user may use the console */
export async function mayEnter(sessions: ConsoleSessions, text: string, address: string): Promise<boolean> {
  const user = await sessions.identify(text, address);
  if (user?.permits({ objectType: 'console_page', action: 'view' }) === true) return true;
  if (user !== undefined) await sessions.end(text, user);
  return false;
}

export const missingPermission = "none of the user's roles has the permission console_page:view";

/** The path of a page of ours: a link to the login page must not send people elsewhere. */
export function ownPath(next: string | null): string {
  const base = 'https://console.invalid';
  if (next === null || !next.startsWith('/') || !URL.canParse(next, base)) return '/';
  const { hash, origin, pathname, search } = new URL(next, base);
  // Browsers read `//host` and `/\\host` as other hosts.
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}
