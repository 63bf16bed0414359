/** Refuses a deletion when the object has changed since the client read it. */

import { rbacError } from './rbac-error.ts';

type Parts = Readonly<Record<string, string | boolean | readonly (string | number)[]>>;

/** @param what - `The user ada` @throws ServiceError `conflict` naming the parts that differ */
export function refuseChanged(what: string, current: Parts, shown: Parts): void {
  const changed = Object.keys(current).filter(
    (part) => JSON.stringify(current[part]) !== JSON.stringify(shown[part]),
  );
  if (changed.length === 0) return;
  throw rbacError('conflict', 'conflict', `${what} has been changed meanwhile: ${changed.join(', ')}`, {
    changed,
  });
}
