/** Who may do what: users, roles, permissions, tokens. */

export { createRbac, type Rbac } from './rbac.ts';
export { rbacRoutes } from './routes.ts';
export { RbacStore, rbacMigrations } from './store.ts';
export { apiUserSubject } from './user.ts';
