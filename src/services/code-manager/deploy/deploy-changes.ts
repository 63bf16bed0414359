/** Records deploys and rollbacks as changes. */

import type { Author, Change, ChangeDetails } from '../../../platform/changes/index.ts';
import type { Deploy } from './deploy.ts';

interface Recorder {
  /** Never rejects. */
  readonly record: (change: Change) => Promise<void>;
  readonly now: () => Date;
}

/** @param authors - those who asked for the deploy; several when it was waiting */
export async function recordDeploy(
  recorder: Recorder,
  deploy: Deploy,
  authors: readonly Author[],
): Promise<void> {
  const each = new Map(authors.map((author) => [JSON.stringify(author), author]));
  for (const author of each.values())
    await recorder.record({ ...deployChange(deploy), author, time: recorder.now() });
}

export async function recordRollback(
  recorder: Recorder,
  { commit, environment }: { readonly environment: string; readonly commit: string },
  author: Author,
): Promise<void> {
  const message = `Rolled the environment ${environment} back to the commit ${commit}`;
  await recorder.record({ ...change(environment, 'rollback', message), author, time: recorder.now() });
}

/** The rest is in the status of the deploy. */
const maxReasonCharacters = 500;

function deployChange({ environment, error, signature }: Deploy): ChangeDetails {
  if (error !== undefined) {
    const reason = error.message.replaceAll(/\s*\n\s*/g, ' ').slice(0, maxReasonCharacters);
    const message = `Could not deploy the environment ${environment}: ${reason}`;
    return change(environment, 'deploy_failed', message);
  }
  const version = signature === undefined ? '' : ` at ${signature}`;
  return change(environment, 'deploy', `Deployed the environment ${environment}${version}`);
}

function change(environment: string, action: string, message: string): ChangeDetails {
  return {
    object: { service: 'code-manager', type: 'environments', id: environment, name: environment },
    events: [{ action, what: 'environment', message }],
  };
}
