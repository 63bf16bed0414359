/** Who may run a job again. */

import { mayDo, type Session } from '../../api/session.ts';
import type { NeededPermission } from '../../lib/job-repeat.ts';

/** Task targets permit tasks on some nodes; which ones, the server says. */
export function mayRepeat(session: Session, { action, instance, objectType }: NeededPermission): boolean {
  return (
    mayDo(session, objectType, action, instance) ||
    (objectType === 'tasks' && mayDo(session, objectType, 'run_with_constraints'))
  );
}

/** `tasks:run on package` */
export function permissionText({ action, instance, objectType }: NeededPermission): string {
  const name = `the permission ${objectType}:${action}`;
  return instance === '*' ? name : `${name} on ${instance}`;
}
