/** The changes of identity providers that are recorded, without secrets. */

import type { Json } from '../../../lib/json.ts';
import type { ChangeDetails, ChangeEvent } from '../../../platform/changes/index.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { renderOidcFields } from './oidc-wire.ts';

/**
 * @param before - absent for a new provider
 * @param after - absent for a deleted one
 * @returns nothing when no part differs
 */
export function providerChange(
  before: IdentityProvider | undefined,
  after: IdentityProvider | undefined,
): readonly ChangeDetails[] {
  const provider = after ?? before;
  if (provider === undefined) return [];
  const events = eventsOf(before, after);
  if (events.length === 0) return [];
  const { displayName: name, id } = provider;
  return [
    {
      object: { service: 'rbac', type: 'identity_providers', id, name },
      events,
      ...(before === undefined ? {} : { before: renderOidcFields(before) as Json }),
      ...(after === undefined ? {} : { after: renderOidcFields(after) as Json }),
    },
  ];
}

function eventsOf(
  before: IdentityProvider | undefined,
  after: IdentityProvider | undefined,
): readonly ChangeEvent[] {
  if (before === undefined)
    return after === undefined
      ? []
      : [event('create', `Connected ${nameOf(after)} at ${after.settings.issuer}`)];
  if (after === undefined)
    return [event('delete', `Deleted ${nameOf(before)}, with its users and its user groups`)];
  const has: Readonly<Record<string, unknown>> = renderOidcFields(after);
  const changed = Object.entries(renderOidcFields(before)).filter(([key, value]) => has[key] !== value);
  return [
    ...changed.map(([key, value]) => {
      const [from, to] = [value, has[key]].map((each) => JSON.stringify(each));
      return event('edit', `Changed ${key} of ${nameOf(after)} from ${from} to ${to}`);
    }),
    ...(before.sealedSecret === after.sealedSecret
      ? []
      : [event('edit', `Changed the secret of ${nameOf(after)}`)]),
  ];
}

function nameOf({ displayName }: IdentityProvider): string {
  return `the identity provider "${displayName}"`;
}

function event(action: string, message: string): ChangeEvent {
  return { action, what: 'identity_provider', message };
}
