/** Second factors. Puppet Enterprise has none; these paths are ours. */

import { type Access, type HttpRequest, json, type Route, route } from '../../../platform/http/index.ts';
import { actorOf, noContent, parameter } from '../actor.ts';
import { demand } from '../rbac-error.ts';
import type { Users } from '../users.ts';
import { CurrentPasswordWire, decodeBody, FactorRemovalWire, OneTimeCodeWire } from '../wire.ts';
import {
  type EnrolmentAnswer,
  EnrolmentWire,
  type RecoveryCodes,
  RecoveryCodesWire,
  type SecondFactorAnswer,
  SecondFactorWire,
} from './answers/wire.ts';
import type { SecondFactor } from './second-factor-store.ts';
import type { SecondFactors } from './second-factors.ts';

const own = '/rbac-api/v1/users/current/second-factor';
const one = '/rbac-api/v1/users/:id/second-factor';

export function secondFactorRoutes(factors: SecondFactors, users: Users, allow: Access): readonly Route[] {
  return [...ownRoutes(factors, users), ...othersRoutes(factors, users, allow)];
}

function ownRoutes(factors: SecondFactors, users: Users): readonly Route[] {
  const allow: Access = { kind: 'permission' };
  const self = ({ identity }: HttpRequest) => users.get(actorOf(identity).id);
  return [
    route({
      method: 'GET',
      path: own,
      allow,
      shapes: { answer: SecondFactorWire },
      handle: async (request) => json(rendered(await factors.find((await self(request)).id))),
    }),
    route({
      method: 'POST',
      path: own,
      allow,
      shapes: { body: CurrentPasswordWire, answer: EnrolmentWire },
      async handle({ body, identity }) {
        const { current_password: password } = decodeBody(CurrentPasswordWire, await body());
        const enrolment = await factors.begin(await users.prove(actorOf(identity), password));
        return json(enrolment satisfies EnrolmentAnswer);
      },
    }),
    route({
      method: 'PUT',
      path: own,
      allow,
      shapes: { body: OneTimeCodeWire, answer: RecoveryCodesWire },
      async handle(request) {
        const { one_time_code: code } = decodeBody(OneTimeCodeWire, await request.body());
        const codes = await factors.confirm(await self(request), code, actorOf(request.identity));
        return json({ recovery_codes: codes } satisfies RecoveryCodes);
      },
    }),
    route({
      method: 'DELETE',
      path: own,
      allow,
      shapes: { body: FactorRemovalWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        const { current_password: password = '', one_time_code: code = '' } = decodeBody(
          FactorRemovalWire,
          await body(),
        );
        const proven = await users.prove(actor, password, (found) => factors.isProof(found, code));
        await factors.remove(proven, actor);
        return noContent;
      },
    }),
  ];
}

function othersRoutes(factors: SecondFactors, users: Users, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: one,
      allow,
      shapes: { answer: SecondFactorWire },
      async handle(request) {
        const actor = actorOf(request.identity);
        const { id } = await users.get(parameter(request, 'id'));
        if (id !== actor.id) demand(actor, { objectType: 'users', action: 'reset_password', instance: id });
        return json(rendered(await factors.find(id)));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      allow,
      async handle(request) {
        const found = await users.get(parameter(request, 'id'));
        await factors.removeFor(found, actorOf(request.identity));
        return noContent;
      },
    }),
  ];
}

function rendered(factor: SecondFactor | undefined): SecondFactorAnswer {
  return { enabled: factor !== undefined, recovery_codes_left: factor?.recoveryDigests.length ?? 0 };
}
