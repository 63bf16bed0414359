/** Users and the console's login on a server of their own, for tests of logins. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeMigrations } from '../../src/platform/changes/index.ts';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  type Database,
  migrate,
  openDirectDatabase,
  openSqliteDatabase,
  sql,
} from '../../src/platform/storage/index.ts';
import { consoleSessions } from '../../src/server/access/console-sessions.ts';
import { openSeal } from '../../src/server/text-seal.ts';
import {
  BuiltConsole,
  consoleRoutes,
  securityHeaders,
  sessionAuthenticator,
} from '../../src/services/console/index.ts';
import {
  createRbac,
  type Rbac,
  RbacStore,
  rbacMigrations,
  rbacRoutes,
} from '../../src/services/rbac/index.ts';
import type { RunningBackend } from './backends.ts';
import { directoryOptions } from './directory-options.ts';

const operator = 'operator.test';
const page = '<!doctype html><p>{{error}}</p><nav>{{links}}</nav>';
/** As browsers know it. */
export const consoleUrl = 'https://console.test';

export class RunningConsole {
  readonly database: Database;
  readonly rbac: Rbac;
  /** The time that users and sessions go by. */
  nowMs = Date.now();
  private readonly http: HttpServer;
  private readonly directory: string;
  private port = 0;

  static async start(backend: RunningBackend): Promise<RunningConsole> {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-logins-'));
    mkdirSync(join(directory, 'built'));
    writeFileSync(join(directory, 'built', 'index.html'), '');
    writeFileSync(join(directory, 'built', 'login.html'), page);
    const location = await backend.createDatabase();
    const database =
      location === undefined
        ? await openSqliteDatabase({ path: join(directory, 'database.sqlite') })
        : await openDirectDatabase(location, 'writer');
    await migrate(database, [...changeMigrations, ...rbacMigrations]);
    const files = await BuiltConsole.read(join(directory, 'built'));
    const seal = await openSeal(join(directory, 'rbac.key'));
    const running = new RunningConsole(directory, database, { files, seal });
    running.port = await running.http.listen(0, '127.0.0.1');
    return running;
  }

  private constructor(
    directory: string,
    database: Database,
    { files, seal }: { readonly files: BuiltConsole; readonly seal: Awaited<ReturnType<typeof openSeal>> },
  ) {
    this.directory = directory;
    this.database = database;
    this.rbac = createRbac({
      store: new RbacStore(database),
      log: silentLogger,
      now: () => new Date(this.nowMs),
      newId: randomUUID,
      tokenLifetimeSeconds: 24 * 3600,
      mostTokenLifetimeSeconds: 100 * 24 * 3600,
      mostFailedLogins: 3,
      passwordCost: { N: 1024, r: 8, p: 1 },
      consoleUrl,
      directories: { ...directoryOptions(database), seal },
    });
    const sessions = consoleSessions(this.rbac);
    this.http = createHttpServer({
      routes: [
        ...rbacRoutes(this.rbac, { kind: 'certname', allows: (certname) => certname === operator }),
        ...consoleRoutes({
          files,
          sessions,
          version: '1',
          features: [],
          login: { steadyMs: () => this.nowMs, onLogout: () => {} },
        }),
      ],
      authorization: { rules: [], allowHeaderCertInfo: true },
      trustedProxies: new TrustedProxies(['127.0.0.1']),
      authenticate: this.rbac.tokens.authenticate,
      authenticateSession: sessionAuthenticator(sessions, () => this.nowMs),
      answerHeaders: securityHeaders,
      log: silentLogger,
    });
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** Without users other than admin, groups and changes. */
  async reset(): Promise<void> {
    this.nowMs = Date.now();
    await this.database.write([
      sql`delete from rbac_tokens`,
      sql`delete from rbac_users where login <> 'admin'`,
      sql`delete from rbac_groups`,
      sql`delete from rbac_taken_answers`,
      sql`delete from changes`,
    ]);
  }

  /** The API of users, as an operator. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${this.url}/rbac-api${path}`, {
      method,
      headers: { 'x-client-verify': 'SUCCESS', 'x-client-dn': `CN=${operator}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  /** As a browser that follows a link of the login page. */
  async begin(name: string, next: string) {
    const path = `/auth/sso/${name}?next=${encodeURIComponent(next)}`;
    const answer = await fetch(this.url + path, { redirect: 'manual' });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { status: answer.status, cookie, location: answer.headers.get('location') ?? '' };
  }

  async session(cookie: string): Promise<unknown> {
    return await (await fetch(`${this.url}/console-api/v1/session`, { headers: { cookie } })).json();
  }

  async userOf(login: string): Promise<Record<string, unknown> | undefined> {
    const users = (await this.ask('GET', '/v1/users')).body as Record<string, unknown>[];
    return users.find((each) => each['login'] === login);
  }

  /** The texts of all recorded changes. */
  async recorded(): Promise<string> {
    const rows = await this.database.read(
      sql`select events, before_change, after_change from changes order by id`,
    );
    return JSON.stringify(rows).replaceAll(/\\+"/g, '"');
  }

  async stop(): Promise<void> {
    await this.http.drain(0);
    await this.database.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** What the browser shows from then on. */
export function sessionOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie();
  return cookies.find((each) => each.startsWith('__Host-bunraku='))?.split(';')[0] ?? '';
}
