/** How a recorded change is undone, or why it can't be. */

export interface RevertibleChange {
  readonly service: string;
  readonly object: { readonly type: string };
  readonly events: readonly { readonly action: string; readonly what: string }[];
  readonly has_before: boolean;
  readonly has_after: boolean;
}

export type RevertWay =
  /** The parts that were changed get their former values. */
  | { readonly kind: 'edit'; readonly of: 'group' | 'user' | 'role' }
  /** Delete the created object. */
  | { readonly kind: 'delete'; readonly of: 'group' | 'user' | 'role' }
  /** Create the deleted object again. */
  | { readonly kind: 'create'; readonly of: 'group' | 'role' }
  /** Another page undoes it. */
  | { readonly kind: 'page'; readonly page: 'code' | 'certificates' | 'tokens'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string };

const kinds: Readonly<Record<string, 'group' | 'user' | 'role'>> = {
  node_groups: 'group',
  users: 'user',
  roles: 'role',
};

/** By `what` or action of the first event. */
const reasons: Readonly<Record<string, string>> = {
  login: 'A log-in changes nothing.',
  password: 'Earlier passwords are not kept.',
  second_factor: 'Secrets of one-time codes are not kept.',
  deploy_failed: 'This deploy failed: nothing was changed.',
  revoke: 'What was revoked stays revoked.',
  clean: 'A certificate that was cleaned is revoked for good. The node asks for a new one.',
  deactivate: 'A node is active again as soon as it sends facts or a report.',
  reject: 'The request was deleted. The node can ask again.',
};

const reasonsByService: Readonly<Record<string, string>> = {
  ca: 'Certificates are decided about on their own page.',
  'code-manager': 'Nothing is known of the version before.',
  infrastructure: 'A server that has left joins again with a new token.',
  orchestrator: 'What a job has done on nodes is not undone here. Run another job.',
  rbac: 'Its state before was not recorded.',
  classifier: 'Its state before was not recorded.',
};

export function revertWay(change: RevertibleChange): RevertWay {
  const [first] = change.events;
  const kind = kinds[change.object.type];
  if (kind !== undefined && (change.has_before || change.has_after)) return wayOfObject(kind, change);
  if (change.object.type === 'tokens' && first?.action === 'create')
    return { kind: 'page', page: 'tokens', text: 'Revoke the token under' };
  if (['deploy', 'rollback'].includes(first?.action ?? ''))
    return { kind: 'page', page: 'code', text: 'Roll back the environment' };
  if (change.service === 'ca' && first?.action === 'sign')
    return {
      kind: 'page',
      page: 'certificates',
      text: 'Revoke the certificate under',
    };
  return {
    kind: 'none',
    reason:
      reasons[first?.what ?? ''] ??
      reasons[first?.action ?? ''] ??
      reasonsByService[change.service] ??
      'There is no way back for this kind of change.',
  };
}

function wayOfObject(of: 'group' | 'user' | 'role', change: RevertibleChange): RevertWay {
  if (change.has_before && change.has_after) return { kind: 'edit', of };
  if (change.has_after) return { kind: 'delete', of };
  if (of !== 'user') return { kind: 'create', of };
  return {
    kind: 'none',
    reason:
      'The password and the tokens of a deleted user are gone. Add the user again on the page of users.',
  };
}
