/** `/console-api/v1/settings`: what is in effect, for those who look after the server. */

import { json, type Route, route } from '../../../platform/http/index.ts';
import { type ListedSetting, type SettingsAnswer, SettingsWire } from './wire.ts';

/** @param loginText - what people read before they log in */
export function settingsRoute(
  settings: readonly ListedSetting[],
  loginText: () => Promise<string | undefined>,
): Route {
  return route({
    method: 'GET',
    path: '/console-api/v1/settings',
    allow: { kind: 'permission', permission: { objectType: 'configuration', action: 'view_edit' } },
    shapes: { answer: SettingsWire },
    handle: async () => json({ settings, login_text: (await loginText()) ?? null } satisfies SettingsAnswer),
  });
}
