/** The changes of directories that are recorded, without passwords. */

import type { Json } from '../../../lib/json.ts';
import type { ChangeDetails, ChangeEvent } from '../../../platform/changes/index.ts';
import type { Directory } from './directory.ts';
import { renderSettings } from './directory-wire.ts';

/**
 * @param before - absent for a new directory
 * @param after - absent for a deleted one
 * @returns nothing when no part differs
 */
export function directoryChange(
  before: Directory | undefined,
  after: Directory | undefined,
): readonly ChangeDetails[] {
  const directory = after ?? before;
  if (directory === undefined) return [];
  const events = eventsOf(before, after);
  if (events.length === 0) return [];
  const rendered = (state: Directory | undefined) =>
    state === undefined ? undefined : (renderSettings(state.settings) as Json);
  const [had, has] = [rendered(before), rendered(after)];
  return [
    {
      object: {
        service: 'rbac',
        type: 'directory_service',
        id: directory.id,
        name: directory.settings.displayName,
      },
      events,
      ...(had === undefined ? {} : { before: had }),
      ...(has === undefined ? {} : { after: has }),
    },
  ];
}

function eventsOf(before: Directory | undefined, after: Directory | undefined): readonly ChangeEvent[] {
  if (before === undefined)
    return after === undefined ? [] : [event('create', `Connected ${nameOf(after)} at ${placeOf(after)}`)];
  if (after === undefined)
    return [event('delete', `Deleted ${nameOf(before)}, with the user groups that were imported from it`)];
  const [had, has] = [Object.entries(renderSettings(before.settings)), renderSettings(after.settings)];
  const changed = had.filter(([key, value]) => has[key as keyof typeof has] !== value);
  return [
    ...changed.map(([key, value]) => {
      const now = has[key as keyof typeof has];
      return event('edit', `Changed ${key} of ${nameOf(after)} from ${shown(value)} to ${shown(now)}`);
    }),
    ...(before.sealedPassword === after.sealedPassword
      ? []
      : [event('edit', `Changed the password of the lookup user of ${nameOf(after)}`)]),
    ...(before.isConnected === after.isConnected
      ? []
      : [
          after.isConnected
            ? event('edit', `Connected ${nameOf(after)} again`)
            : event('edit', `Disconnected ${nameOf(after)}`),
        ]),
  ];
}

function nameOf({ settings }: Directory): string {
  return `the directory "${settings.displayName}"`;
}

function placeOf({ settings }: Directory): string {
  return `${settings.hostname}:${settings.port}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

function event(action: string, message: string): ChangeEvent {
  return { action, what: 'directory_service', message };
}
