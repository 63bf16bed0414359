/** Permissions of roles, as people set them. */

export interface Granted {
  readonly object_type: string;
  readonly action: string;
  /** `*` for all objects. */
  readonly instance: string;
}

/** The objects that an action is allowed for; empty when it is not allowed. */
export function instancesOf(
  permissions: readonly Granted[],
  objectType: string,
  action: string,
): readonly string[] {
  return permissions
    .filter((each) => each.object_type === objectType && each.action === action)
    .map(({ instance }) => instance);
}

/** The permissions with an action allowed for these objects and no others. */
export function withInstances(
  permissions: readonly Granted[],
  objectType: string,
  action: string,
  instances: readonly string[],
): readonly Granted[] {
  const others = permissions.filter((each) => each.object_type !== objectType || each.action !== action);
  // A permission for all objects includes single ones.
  const wanted = instances.includes('*') ? ['*'] : Array.from(new Set(instances));
  return [...others, ...wanted.map((instance) => ({ object_type: objectType, action, instance }))];
}

export interface RoleOfUser {
  readonly display_name: string;
  readonly permissions: readonly Granted[];
}

/** The permissions of a user, each with the roles that grant it. */
export function effectivePermissions(
  roles: readonly RoleOfUser[],
): readonly { readonly permission: Granted; readonly roles: readonly string[] }[] {
  const all = roles.flatMap(({ display_name: role, permissions }) =>
    permissions.map((permission) => ({ permission, role })),
  );
  const byText = Map.groupBy(all, ({ permission }) => permissionText(permission));
  return Array.from(byText.values(), (same) => ({
    permission: same[0]?.permission ?? { object_type: '', action: '', instance: '' },
    roles: same.map(({ role }) => role),
  })).toSorted((a, b) => (permissionText(a.permission) < permissionText(b.permission) ? -1 : 1));
}

/** `node_groups:view:*` */
export function permissionText({ action, instance, object_type }: Granted): string {
  return `${object_type}:${action}:${instance}`;
}
