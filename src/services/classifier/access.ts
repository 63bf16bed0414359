/** Who may do what with groups. */

import { ServiceError } from '../../lib/service-error.ts';
import { authorOf } from '../../platform/changes/index.ts';
import { type Access, type Identity, type IdentityAccess, isAllowed } from '../../platform/http/index.ts';
import type { GroupEditor } from './change-rights.ts';
import type { Classifier } from './classifier.ts';
import type { Group } from './group.ts';
import { type GroupPermits, maySee } from './group-rights.ts';

/** Who may see groups, and who may change them. */
export interface ClassifierAccess {
  /** All groups, and how nodes are classified. */
  readonly view: Access;
  /** At least one group, and those below it. */
  readonly viewSome: Access;
  /** Something of at least one group; what, is looked at with each change. */
  readonly modify: Access;
  /** Of those who may modify: who may also change the groups of the installation's own servers. */
  readonly servers: IdentityAccess;
}

export function editorOf(identity: Identity, servers: IdentityAccess): GroupEditor {
  return {
    author: authorOf(identity),
    mayChangeServers: isAllowed(servers, identity),
    permits: permitsOf(identity),
  };
}

/** Certificates that are let in may do everything. */
export function permitsOf(identity: Identity): GroupPermits {
  if (identity.kind !== 'user') return () => true;
  return (action, groupId) =>
    identity.permits({ objectType: 'node_groups', action, instance: groupId ?? '*' });
}

/** @throws ServiceError `not-found`, and `forbidden` for a group that somebody may not see */
export function visibleGroup(classifier: Classifier, id: string, identity: Identity): Group {
  const group = classifier.get(id);
  if (maySee(classifier.hierarchy, group, permitsOf(identity))) return group;
  throw new ServiceError(
    'forbidden',
    `You may not see the group ${group.name}: the permission node_groups:view for it or a group above it is missing`,
    { kind: 'puppetlabs.rbac/permission-denied' },
  );
}
