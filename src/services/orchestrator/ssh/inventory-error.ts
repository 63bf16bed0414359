/** Failures by the kinds that clients of Puppet Enterprise's inventory know. */

import { ServiceError, type ServiceErrorReason } from '../../../lib/service-error.ts';

const reasons = {
  'schema-validation-error': 'bad-request',
  'json-parse-error': 'bad-request',
  'duplicate-certnames': 'conflict',
} as const satisfies Readonly<Record<string, ServiceErrorReason>>;

export function inventoryError(kind: keyof typeof reasons, message: string): ServiceError {
  return new ServiceError(reasons[kind], message, { kind: `puppetlabs.inventory/${kind}`, details: {} });
}
