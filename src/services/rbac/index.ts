/** Who may do what: users, roles, permissions, tokens. */

export { createRbac, type DirectoryOptions, type Rbac } from './rbac.ts';
export { rbacRoutes } from './routes.ts';
export { rbacMigrations } from './schema.ts';
export { RbacStore } from './store.ts';
export { apiUserSubject } from './user.ts';
