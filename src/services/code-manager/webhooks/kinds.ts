/** The git hosts whose webhooks are understood. */

import { azureDevOps } from './azure-devops.ts';
import { bitbucket, bitbucketServer } from './bitbucket.ts';
import { gitea, github } from './github.ts';
import { gitlab } from './gitlab.ts';
import type { WebhookKind } from './push.ts';

const kinds: readonly WebhookKind[] = [github, gitlab, bitbucketServer, azureDevOps, bitbucket, gitea];

/** @param name - the query parameter `type` */
export function findWebhookKind(name: string): WebhookKind | undefined {
  return kinds.find(({ names }) => names.includes(name));
}

/** As the answer to a wrong one says. */
export function webhookNames(): string {
  return kinds.flatMap(({ names }) => names).join(' ');
}
