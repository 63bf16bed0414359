/** What deploys say in the record of changes. */

import type { ChangeDetails } from '../../../platform/changes/index.ts';
import type { Deploy } from './deploy.ts';

/** The rest is in the status of the deploy. */
const maxReasonCharacters = 500;

export function deployChange({ environment, error, signature }: Deploy): ChangeDetails {
  if (error !== undefined) {
    const reason = error.message.replaceAll(/\s*\n\s*/g, ' ').slice(0, maxReasonCharacters);
    const message = `Could not deploy the environment ${environment}: ${reason}`;
    return change(environment, 'deploy_failed', message);
  }
  const version = signature === undefined ? '' : ` at ${signature}`;
  return change(environment, 'deploy', `Deployed the environment ${environment}${version}`);
}

export function rollbackChange(environment: string, commit: string): ChangeDetails {
  return change(
    environment,
    'rollback',
    `Rolled the environment ${environment} back to the commit ${commit}`,
  );
}

function change(environment: string, action: string, message: string): ChangeDetails {
  return {
    object: { service: 'code-manager', type: 'environments', id: environment, name: environment },
    events: [{ action, what: 'environment', message }],
  };
}
