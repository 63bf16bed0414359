/** Who acts in a request. */

import { ServiceError } from '../../lib/service-error.ts';
import { authorOf } from '../../platform/changes/index.ts';
import type { HttpRequest, HttpResponse, Identity } from '../../platform/http/index.ts';
import { type Actor, apiUser } from './user.ts';

/** Routes let in only users and the certificates that stand for the API user. */
export function actorOf(identity: Identity): Actor {
  const author = authorOf(identity);
  if (identity.kind === 'user') return { ...identity, author };
  if (identity.kind === 'certificate') return { ...apiUser, login: identity.certname, author };
  throw new ServiceError('unauthorized', 'Route requires authentication', {
    kind: 'puppetlabs.rbac/user-unauthenticated',
  });
}

export function created(path: string): HttpResponse {
  return { status: 201, headers: { Location: path } };
}

export const noContent: HttpResponse = { status: 204 };

/** A part of the path. */
export function parameter({ params }: HttpRequest, name: string): string {
  return params[name] ?? '';
}
