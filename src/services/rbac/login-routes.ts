/** What a login page asks before anybody has logged in: rules for names and passwords, and a text to show. */

import type { ChangeDetails } from '../../platform/changes/index.ts';
import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import { actorOf, noContent } from './actor.ts';
import type { BrokenRule } from './password-policy.ts';
import { anyInstance } from './permission.ts';
import type { Rbac } from './rbac.ts';
import { demand, rbacError } from './rbac-error.ts';
import { tokenDigest } from './token-text.ts';
import type { Actor } from './user.ts';
import { DisclaimerWire, decodeBody, LoginNameWire, maxLoginCharacters, PasswordWire } from './wire.ts';

interface Rule extends BrokenRule {
  readonly isKept: (value: string) => boolean;
}

const loginRules: readonly Rule[] = [
  { id: 'login-minimum-length', text: 'The login must not be empty.', isKept: (text) => text.trim() !== '' },
  {
    id: 'login-maximum-length',
    text: `The login must have ${maxLoginCharacters} characters at most.`,
    isKept: (text) => text.length <= maxLoginCharacters,
  },
];

export function loginRoutes({ newPasswords, now, store }: Rbac, allow: Access): readonly Route[] {
  const anyone: Access = { kind: 'anyone' };
  return [
    route({
      method: 'POST',
      path: '/rbac-api/v1/command/validate-login',
      allow,
      handle: async ({ body }) => json(failuresOf(loginRules, decodeBody(LoginNameWire, await body()).login)),
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v1/command/validate-password',
      // People who reset a password have nothing but the reset token.
      allow: anyone,
      async handle({ body }) {
        const { password, reset_token: token } = decodeBody(PasswordWire, await body());
        const isReset = typeof token === 'string';
        const user = isReset ? await store.findUserByReset(tokenDigest(token), now()) : undefined;
        return json(rendered(await newPasswords.broken(password, user)));
      },
    }),
    route({
      method: 'GET',
      path: '/rbac-api/v1/config/disclaimer',
      allow: anyone,
      async handle() {
        const disclaimer = await store.findText('disclaimer');
        if (disclaimer === undefined) throw rbacError('not-found', 'not-found', 'There is no disclaimer');
        return json({ disclaimer });
      },
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v1/command/config/set-disclaimer',
      allow,
      shapes: { body: DisclaimerWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandConfiguration(actor);
        const { disclaimer } = decodeBody(DisclaimerWire, await body());
        const change = { ...disclaimerChange('Set', disclaimer), author: actor.author, time: now() };
        await store.setText('disclaimer', disclaimer, change);
        return noContent;
      },
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v1/command/config/remove-disclaimer',
      allow,
      async handle({ identity }) {
        const actor = actorOf(identity);
        demandConfiguration(actor);
        const change = { ...disclaimerChange('Removed'), author: actor.author, time: now() };
        await store.removeText('disclaimer', change);
        return noContent;
      },
    }),
  ];
}

function disclaimerChange(verb: 'Set' | 'Removed', text?: string): ChangeDetails {
  const message = `${verb} the disclaimer of the login page`;
  return {
    object: { service: 'rbac', type: 'configuration', id: 'disclaimer', name: 'disclaimer' },
    events: [{ action: verb === 'Set' ? 'edit' : 'delete', what: 'disclaimer', message }],
    ...(text === undefined ? {} : { after: text }),
  };
}

function failuresOf(rules: readonly Rule[], value: string) {
  return rendered(rules.filter(({ isKept }) => !isKept(value)));
}

function rendered(broken: readonly BrokenRule[]) {
  const failures = broken.map(({ id, text }) => ({ 'rule-identifier': id, 'friendly-error': text }));
  return { valid: failures.length === 0, failures };
}

function demandConfiguration(actor: Actor): void {
  demand(actor, { objectType: 'configuration', action: 'view_edit', instance: anyInstance });
}
