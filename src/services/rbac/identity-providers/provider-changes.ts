/** The changes of identity providers that are recorded, without secrets. */

import type { Json } from '../../../lib/json.ts';
import type { ChangeDetails, ChangeEvent } from '../../../platform/changes/index.ts';
import { type IdentityProvider, isOidc, isSaml } from './identity-provider.ts';
import { renderOidcFields } from './oidc-wire.ts';
import { renderSamlProvider } from './saml-wire.ts';

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
      ...(before === undefined ? {} : { before: rendered(before) as Json }),
      ...(after === undefined ? {} : { after: rendered(after) as Json }),
    },
  ];
}

function eventsOf(
  before: IdentityProvider | undefined,
  after: IdentityProvider | undefined,
): readonly ChangeEvent[] {
  if (before === undefined)
    return after === undefined ? [] : [event('create', `Connected ${nameOf(after)} at ${placeOf(after)}`)];
  if (after === undefined)
    return [event('delete', `Deleted ${nameOf(before)}, with its users and its user groups`)];
  const [had, has] = [rendered(before), rendered(after)];
  const fields = [...new Set([...Object.keys(had), ...Object.keys(has)])];
  const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return [
    ...fields.flatMap((field) => {
      const [from, to] = [shown(had[field]), shown(has[field])];
      if (from === to) return [];
      return [event('edit', `Changed ${field} of ${nameOf(after)} from ${from} to ${to}`)];
    }),
    ...(before.sealedSecret === after.sealedSecret
      ? []
      : [event('edit', `Changed the secret of ${nameOf(after)}`)]),
  ];
}

function rendered(provider: IdentityProvider): Readonly<Record<string, unknown>> {
  if (isOidc(provider)) return renderOidcFields(provider);
  return isSaml(provider) ? renderSamlProvider(provider) : {};
}

function placeOf({ settings }: IdentityProvider): string {
  return settings.kind === 'oidc' ? settings.issuer : settings.entityId;
}

function nameOf({ displayName }: IdentityProvider): string {
  return `the identity provider "${displayName}"`;
}

function event(action: string, message: string): ChangeEvent {
  return { action, what: 'identity_provider', message };
}
