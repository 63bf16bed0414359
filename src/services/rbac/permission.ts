/** What roles allow: a type of object, an action, and which object, or `*` for all of them. */

import type { WantedPermission } from '../../platform/http/index.ts';

export interface Permission {
  readonly objectType: string;
  readonly action: string;
  readonly instance: string;
}

export const anyInstance = '*';

export function permissionText({ action, instance, objectType }: Permission): string {
  return `${objectType}:${action}:${instance}`;
}

/** Whether one of the permissions is the wanted one, or more than it. */
export function isGranted(
  granted: readonly Permission[],
  { action, instance, objectType }: WantedPermission,
): boolean {
  return granted.some(
    (each) =>
      each.objectType === objectType &&
      each.action === action &&
      (instance === undefined || each.instance === anyInstance || each.instance === instance),
  );
}

/** Which objects somebody may do something to. */
export function grantedInstances(
  granted: readonly Permission[],
  objectType: string,
  action: string,
): readonly string[] {
  const instances = granted
    .filter((each) => each.objectType === objectType && each.action === action)
    .map(({ instance }) => instance);
  return [...new Set(instances)];
}
