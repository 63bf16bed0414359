/** The routes of the console: pages, files, sessions. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Access, type HttpRequest, json, type Route, route } from '../../platform/http/index.ts';
import type { BuiltConsole } from './built-console.ts';
import { type LoginOptions, loginRoutes } from './login-routes.ts';
import { providerLoginRoutes } from './provider-login-routes.ts';
import { type SessionAnswer, SessionWire } from './session/wire.ts';
import { sessionText } from './session-requests.ts';
import type { ConsoleSessions } from './sessions.ts';

export interface ConsoleRouteOptions {
  readonly files: BuiltConsole;
  readonly sessions: ConsoleSessions;
  readonly version: string;
  /** Parts of the console that this installation has, by name. */
  readonly features: readonly string[];
  readonly login: LoginOptions;
}

const anyone: Access = { kind: 'anyone' };
const anyUser: Access = { kind: 'permission' };

/** Paths below these belong to APIs and files: what isn't there is not a page either. */
const notPages = [
  'activity-api',
  'assets',
  'auth',
  'autoscaler',
  'classifier-api',
  'code-manager',
  'console-api',
  'file-sync',
  'infrastructure',
  'metrics',
  'orchestrator',
  'pdb',
  'puppet',
  'puppet-ca',
  'rbac-api',
  'saml',
  'status',
];

export function consoleRoutes(options: ConsoleRouteOptions): readonly Route[] {
  return [
    ...loginRoutes(options.files, options.sessions, options.login),
    ...providerLoginRoutes(options.files, options.sessions),
    ...sessionRoutes(options),
    ...fileRoutes(options.files),
  ];
}

function sessionRoutes({ features, sessions, version }: ConsoleRouteOptions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/console-api/v1/session',
      allow: anyUser,
      shapes: { answer: SessionWire },
      async handle({ headers, identity }) {
        const user = identity.kind === 'user' ? await sessions.describe(identity.id) : undefined;
        if (user === undefined) throw new ServiceError('unauthorized', 'The user has been deleted');
        const { displayName, id, isSuperuser, login, permissions } = user;
        const text = sessionText(headers);
        const ends = text === undefined ? undefined : await sessions.endOf(text);
        const begun = text === undefined ? undefined : await sessions.beginOf(text);
        return json({
          user: { id, login, display_name: displayName, is_superuser: isSuperuser },
          permissions: permissions.map(({ action, instance, objectType }) => ({
            object_type: objectType,
            action,
            instance,
          })),
          begun: begun?.toISOString() ?? null,
          ends: ends?.toISOString() ?? null,
          features,
          version,
        } satisfies SessionAnswer);
      },
    }),
    route({
      method: 'POST',
      path: '/console-api/v1/session/touch',
      allow: anyUser,
      async handle({ headers }) {
        const text = sessionText(headers);
        if (text !== undefined) await sessions.touch(text);
        const ends = text === undefined ? undefined : await sessions.endOf(text);
        return json({ ends: ends?.toISOString() ?? null });
      },
    }),
  ];
}

/** Pages are public, and the same for everybody: only their requests show who asks. */
function fileRoutes(files: BuiltConsole): readonly Route[] {
  const answer = async (request: HttpRequest) => {
    const name = request.path.slice(1);
    const file = await files.file(name, request);
    if (file !== undefined) return file;
    const [first = ''] = name.split('/');
    if (notPages.includes(first)) throw new ServiceError('not-found', `${request.path} does not exist`);
    return files.page('index.html');
  };
  return ['/', '/*'].map((path) => route({ method: 'GET', path, allow: anyone, handle: answer }));
}
