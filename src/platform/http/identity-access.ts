/** What can be decided of a request from who sent it: by certificates and by tokens of users. */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';
import type { Access, Identity, IdentityAccess } from './route.ts';

/** Certificates that may administer the CA, and what belongs to the primary alone. */
export const operators: IdentityAccess = { kind: 'extension', name: 'pp_cli_auth', value: 'true' };

/** Whether somebody is let in. */
export function isAllowed(allow: IdentityAccess, identity: Identity): boolean {
  switch (allow.kind) {
    case 'anyone':
      return true;
    case 'certname':
      return identity.kind === 'certificate' && allow.allows(identity.certname);
    case 'extension':
      return (
        identity.kind === 'certificate' &&
        Object.hasOwn(identity.extensions, allow.name) &&
        identity.extensions[allow.name] === allow.value
      );
    case 'permission':
      return (
        identity.kind === 'user' && (allow.permission === undefined || identity.permits(allow.permission))
      );
    case 'any-of':
      return allow.of.some((each) => isAllowed(each, identity));
    default:
      return allow satisfies never;
  }
}

/** For routes that know only after a look at the body whom they have to ask. @throws ServiceError as a refused request */
export function requireAccess(allow: IdentityAccess, identity: Identity): void {
  if (!isAllowed(allow, identity)) throw refusalOf(identity);
}

/** Whether a token may open a route. */
export function takesTokens(allow: Access): boolean {
  return allow.kind === 'permission' || (allow.kind === 'any-of' && allow.of.some(takesTokens));
}

/** Whether `auth.conf` decides, too: clients without a token are then refused in Puppet Server's words. */
export function asksRules(allow: Access): boolean {
  return allow.kind === 'rules' || (allow.kind === 'any-of' && allow.of.some(asksRules));
}

/** Whether servers of the installation are let in as such. */
export function isForServers(allow: Access): boolean {
  return allow.kind === 'infrastructure' || (allow.kind === 'any-of' && allow.of.some(isForServers));
}

/** The token of a request, which is taken out of the query: what answers knows nothing of it. */
export function takeToken(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const asked = query.get('token');
  if (asked !== null) query.delete('token');
  const header = headers['x-authentication'];
  const token = (typeof header === 'string' && header !== '' ? header : asked)?.trim();
  return token === '' ? undefined : token;
}

/** What those are told whom a route that takes tokens does not let in, in the words of Puppet Enterprise. */
export function refusalOf(identity: Identity): ServiceError {
  if (identity.kind === 'anonymous')
    return new ServiceError('unauthorized', 'Route requires authentication', {
      kind: 'puppetlabs.rbac/user-unauthenticated',
    });
  const who = identity.kind === 'user' ? identity.login : identity.certname;
  return new ServiceError('forbidden', `${who} does not have permission to do this`, {
    kind: 'puppetlabs.rbac/permission-denied',
  });
}
