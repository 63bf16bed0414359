/** `/rbac-api`, as Puppet Enterprise has it. */

import type { Access, Route } from '../../platform/http/index.ts';
import { permissionRoutes } from './permission-routes.ts';
import type { Rbac } from './rbac.ts';
import { roleRoutes } from './role-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { userRoutes } from './user-routes.ts';

/** @param allowApiUser - which certificates may do everything */
export function rbacRoutes(rbac: Rbac, allowApiUser: Access): readonly Route[] {
  const allow: Access = { kind: 'any-of', of: [{ kind: 'permission' }, allowApiUser] };
  return [
    ...tokenRoutes(rbac, allow),
    ...userRoutes(rbac, allow),
    ...roleRoutes(rbac, allow),
    ...permissionRoutes(rbac, allow),
  ];
}
