/** `/console-api/v1/preferences`: how a user wants the pages to be, on every device. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, type Identity, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { type Preferences, PreferencesWire } from '../wire.ts';
import type { PreferenceStore } from './preference-store.ts';

const anyUser: Access = { kind: 'permission' };
const path = '/console-api/v1/preferences';

export function preferenceRoutes(store: PreferenceStore): readonly Route[] {
  return [
    route({
      method: 'GET',
      path,
      allow: anyUser,
      shapes: { answer: PreferencesWire },
      async handle({ identity }) {
        // A later version may have stored other values: the usual ones stand for them.
        const stored = PreferencesWire.safeParse((await store.find(idOf(identity))) ?? {});
        return json((stored.success ? stored.data : PreferencesWire.parse({})) satisfies Preferences);
      },
    }),
    route({
      method: 'PUT',
      path,
      allow: anyUser,
      shapes: { body: PreferencesWire, answer: PreferencesWire },
      async handle({ body, identity }) {
        const wanted = consoleBodies.decode(PreferencesWire, await body());
        await store.save(idOf(identity), wanted);
        return json(wanted satisfies Preferences);
      },
    }),
  ];
}

function idOf(identity: Identity): string {
  if (identity.kind === 'user') return identity.id;
  throw new ServiceError('unauthorized', 'Route requires authentication');
}
