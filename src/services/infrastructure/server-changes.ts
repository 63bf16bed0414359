/** The recorded changes of servers and join tokens. */

import { type Author, authorOf, type Change } from '../../platform/changes/index.ts';
import type { Identity } from '../../platform/http/index.ts';

/** Never rejects: what was done stays done when it cannot be recorded. */
export type RecordChange = (change: Change) => Promise<void>;

const service = 'infrastructure';

export function serverLeft(certname: string, author: Author): Change {
  const message = `The compile server ${certname} left: its certificate is revoked`;
  const object = { service, type: 'servers', id: certname, name: certname };
  return by(author, object, { action: 'delete', what: 'server', message });
}

export function orderedToLeave(certname: string, identity: Identity): Change {
  const message = `Ordered the compile server ${certname} to drain and to leave`;
  const object = { service, type: 'servers', id: certname, name: certname };
  return by(authorOf(identity), object, { action: 'edit', what: 'server', message });
}

export function serverJoined(certname: string, author: Author): Change {
  const message = `${certname} joined as a compile server`;
  const object = { service, type: 'servers', id: certname, name: certname };
  return by(author, object, { action: 'create', what: 'server', message });
}

/** @param certnames - patterns of the servers that may join with it */
export function joinTokenChange(id: string, identity: Identity, certnames?: readonly string[]): Change {
  const isNew = certnames !== undefined;
  const message = isNew
    ? `Created the token ${id} to join with, for ${certnames.join(', ')}`
    : `Deleted the token ${id} to join with`;
  const object = { service, type: 'join_tokens', id, name: id };
  return by(authorOf(identity), object, { action: isNew ? 'create' : 'delete', what: 'join_token', message });
}

function by(author: Author, object: Change['object'], event: Change['events'][number]): Change {
  return { author, time: new Date(), object, events: [event] };
}
