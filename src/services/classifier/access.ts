/** Who may do what with groups. */

import { authorOf } from '../../platform/changes/index.ts';
import { type Access, type Identity, type IdentityAccess, isAllowed } from '../../platform/http/index.ts';
import type { GroupEditor } from './change-rights.ts';

/** Who may see everything, and who may change it. */
export interface ClassifierAccess {
  readonly view: Access;
  readonly modify: Access;
  /** Of those who may modify: who may also change the groups of the installation's own servers. */
  readonly servers: IdentityAccess;
}

export function editorOf(identity: Identity, servers: IdentityAccess): GroupEditor {
  return { author: authorOf(identity), mayChangeServers: isAllowed(servers, identity) };
}
