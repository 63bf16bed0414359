/** `/rbac-api`, as Puppet Enterprise has it. */

import type { Access, Route } from '../../platform/http/index.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { providerRoutes } from './identity-providers/provider-routes.ts';
import { samlRoutes } from './identity-providers/saml-routes.ts';
import { loginRoutes } from './login-routes.ts';
import { permissionRoutes } from './permission-routes.ts';
import type { Rbac } from './rbac.ts';
import { roleCommands } from './role-commands.ts';
import { roleRoutes } from './role-routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { userGroupRoutes } from './user-groups/user-group-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Login, users and roles are small; the lists of users in a role are the largest of them. */
const maxBodyBytes = 1024 * 1024;

/** @param allowApiUser - which certificates may do everything */
export function rbacRoutes(rbac: Rbac, allowApiUser: Access): readonly Route[] {
  const allow: Access = { kind: 'any-of', of: [{ kind: 'permission' }, allowApiUser] };
  const routes = [
    ...tokenRoutes(rbac, allow),
    ...userRoutes(rbac, allow),
    ...userGroupRoutes(rbac.groups, rbac.users, allow),
    ...directoryRoutes(rbac.directories, allow),
    ...providerRoutes(rbac.providers, allow),
    ...samlRoutes(rbac.providers, allow),
    ...secondFactorRoutes(rbac.secondFactors, rbac.users, allow),
    ...roleRoutes(rbac, allow),
    ...roleCommands(rbac, allow),
    ...loginRoutes(rbac, allow),
    ...permissionRoutes(rbac, allow),
  ];
  // Where all clients are let in, the server's own limit is smaller.
  return routes.map((each) => (each.allow.kind === 'anyone' ? each : { ...each, maxBodyBytes }));
}
