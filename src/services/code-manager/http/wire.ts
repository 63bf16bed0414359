/** Bodies of `/code-manager/v1/*`, as Puppet Enterprise documents them. */

import { z } from 'zod';
import { firstMistake, JsonBodies } from '../../../lib/json-body.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { DeployAnswer, FailedDeploy } from '../answers/wire.ts';
import type { Deploy } from '../deploy/deploy.ts';

const names = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(/[\s,]+/).filter((name) => name !== '')),
]);

/** `POST /deploys`; `validate`, `validate-nodes` and `purge-in-use` are ours. */
export const DeploysWire = z.object({
  environments: names.optional(),
  'deploy-all': z.boolean().default(false),
  'deploy-modules': z.boolean().default(true),
  modules: names.default([]),
  wait: z.boolean().default(false),
  'dry-run': z.boolean().default(false),
  validate: z.boolean().optional(),
  'validate-nodes': names.optional(),
  'purge-in-use': z.boolean().default(false),
});

/** `POST /rollback`: ours. */
export const RollbackWire = z.object({
  environment: z.string(),
  commit: z.string().optional(),
});

const bodies = new JsonBodies({
  takesEmpty: true,
  notJson: (_text, cause) =>
    new ServiceError('bad-request', 'The request body is not valid JSON', {
      kind: 'puppetlabs.code-manager/malformed-request',
      cause,
    }),
  misshapen: (problem) =>
    new ServiceError('bad-request', `The request body is invalid: ${firstMistake(problem)}`, {
      kind: 'puppetlabs.code-manager/schema-violation',
    }),
});

/** @throws ServiceError `bad-request` naming the field */
export function decodeBody<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
  return bodies.decode(shape, body);
}

/** A deploy as `POST /deploys` answers it. */
export function encodeDeploy(deploy: Deploy): DeployAnswer {
  const { environment, error, fileSync, id, signature, status, warnings } = deploy;
  return {
    ...(error === undefined && signature !== undefined ? { 'deploy-signature': signature } : {}),
    ...(error === undefined && fileSync !== undefined
      ? {
          'file-sync': {
            'environment-commit': fileSync.environmentCommit,
            'code-commit': fileSync.codeCommit,
          },
        }
      : {}),
    environment,
    id,
    status: status === 'deploying' ? 'queued' : status,
    ...(error === undefined ? {} : { error: encodeFailure(error) }),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

export function encodeFailure(error: NonNullable<Deploy['error']>): FailedDeploy['error'] {
  return { kind: error.kind, msg: error.message, details: { 'corrected-env-name': error.correctedName } };
}
