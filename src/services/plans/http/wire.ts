/** Requests about plans as they cross the network, under Puppet Enterprise's names. */

import { z } from 'zod';
import { JsonBodies } from '../../../lib/json-body.ts';
import { countParameter } from '../../../platform/http/index.ts';
import { type PlanOrder, planError } from '../jobs/plan-jobs.ts';

const bodies = new JsonBodies({
  notJson: () => planError('validation-error', 'The body is not JSON'),
  misshapen: ({ issues: [first] }) =>
    planError('validation-error', `${first?.path || 'The body'}: ${first?.message}`),
});

const Environment = z.string().regex(/^[A-Za-z0-9_]+$/, 'is not a valid environment name');
const PlanName = z.string().regex(/^[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*$/, 'is not a valid plan name');

export const PlanRunWire = z.strictObject({
  plan_name: PlanName,
  params: z.record(z.string(), z.json()).default({}),
  environment: Environment.default('production'),
  description: z.string().default(''),
  userdata: z.record(z.string(), z.json()).optional(),
});

/** A parameter by its value, or by what finds nodes. */
const ParameterWire = z.union([
  z.strictObject({ value: z.json() }),
  z.strictObject({ type: z.literal(['query', 'node_group']), value: z.string().min(1) }),
]);

export const EnvironmentPlanRunWire = PlanRunWire.extend({
  params: z.record(z.string(), ParameterWire).default({}),
});

export const StopWire = z.strictObject({
  plan_job: z.string().regex(/^\d{1,15}$/, 'is not a plan job number'),
});

/** @throws ServiceError `validation-error` */
export function decodePlanRun(body: Buffer): PlanOrder {
  const { description, environment, params, plan_name: plan } = bodies.decode(PlanRunWire, body);
  return { description, environment, parameters: params, plan };
}

/**
 * @returns the order with the parameters that have a value, and those that nodes have to be found for
 * @throws ServiceError `validation-error`
 */
export function decodeEnvironmentPlanRun(body: Buffer) {
  const { description, environment, params, plan_name: plan } = bodies.decode(EnvironmentPlanRunWire, body);
  const given = Object.entries(params);
  const parameters = given.flatMap(([name, each]) => ('type' in each ? [] : [[name, each.value] as const]));
  const findable = given.flatMap(([name, each]) => ('type' in each ? [{ name, ...each }] : []));
  return { order: { description, environment, parameters: Object.fromEntries(parameters), plan }, findable };
}

/** @throws ServiceError `validation-error` */
export function decodeStopPlan(body: Buffer): number {
  return Number(bodies.decode(StopWire, body).plan_job);
}

/** @throws ServiceError `validation-error` */
export function decodeNumber(text: string | undefined): number {
  if (!/^\d{1,15}$/.test(text ?? '')) throw planError('validation-error', `'${text}' is not a number`);
  return Number(text);
}

/** @throws ServiceError `validation-error` */
export function decodePage(query: URLSearchParams): {
  readonly limit: number | undefined;
  readonly offset: number;
} {
  const number = (name: string) =>
    countParameter(query, name, (text) =>
      planError('validation-error', `${name} is a number from 0, not '${text}'`),
    );
  return { limit: number('limit'), offset: number('offset') ?? 0 };
}

/** @throws ServiceError `validation-error` */
export function decodeEnvironment(query: URLSearchParams): string {
  const name = query.get('environment') ?? 'production';
  if (!Environment.safeParse(name).success)
    throw planError('validation-error', `'${name}' is not a valid environment name`);
  return name;
}
