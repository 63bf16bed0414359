import { ErrorValue, PuppetHash, type Value } from '../../pcore/index.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';

/** `fail_plan(message, kind?, details?, issue_code?)` or `fail_plan(error)` */
export const failPlan: PlanFunction = () => ({
  name: 'fail_plan',
  dispatches: [
    {
      parameters: [
        { type: 'String[1]', name: 'msg' },
        { type: 'String[1]', name: 'kind', arity: 'optional' },
        { type: 'Hash[String[1], Any]', name: 'details', arity: 'optional' },
        { type: 'String[1]', name: 'issue_code', arity: 'optional' },
      ],
      call: (_context, [message = '', kind = null, details = null, issueCode = null]) => {
        throw failureOf({ message, kind, details, issueCode });
      },
    },
    {
      parameters: [{ type: 'Error', name: 'error' }],
      call: (_context, [error]) => {
        const part = (name: string): Value =>
          error instanceof ErrorValue ? (error.attribute(name) ?? null) : null;
        throw failureOf({
          message: part('msg'),
          kind: part('kind'),
          details: part('details'),
          issueCode: part('issue_code'),
        });
      },
    },
  ],
});

function failureOf(parts: {
  readonly message: Value;
  readonly kind: Value;
  readonly details: Value;
  readonly issueCode: Value;
}): PlanError {
  const { details, issueCode, kind, message } = parts;
  return new PlanError({
    message: String(message),
    kind: typeof kind === 'string' ? kind : 'bolt/plan-failure',
    issueCode: typeof issueCode === 'string' ? issueCode : null,
    ...(details instanceof PuppetHash ? { details } : {}),
  });
}
