/** Failures by the kinds that clients of Puppet Enterprise's orchestrator know. */

import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';

const reasons = {
  'validation-error': 'bad-request',
  'unknown-environment': 'not-found',
  'empty-environment': 'bad-request',
  'empty-target': 'bad-request',
  'puppetdb-error': 'bad-request',
  'query-error': 'bad-request',
  'unknown-job': 'not-found',
  'unknown-task': 'not-found',
  'unknown-node-group': 'not-found',
  'unknown-task-target': 'not-found',
  'not-permitted': 'forbidden',
  'invalid-time': 'bad-request',
  'disabled-scheduled-job': 'bad-request',
} as const satisfies Readonly<Record<string, ServiceErrorReason>>;

export type OrchestratorErrorKind = keyof typeof reasons;

export function orchestratorError(
  kind: OrchestratorErrorKind,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(reasons[kind], message, { kind: `puppetlabs.orchestrator/${kind}`, details });
}
