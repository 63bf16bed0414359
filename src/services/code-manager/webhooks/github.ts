/** Pushes of GitHub, and of those that send the same: Gitea and its relatives. */

import { z } from 'zod';
import { branchOf, type Push, texts, type WebhookHeaders, type WebhookKind } from './push.ts';

const PushWire = z.object({
  ref: z.string(),
  repository: z
    .looseObject({
      clone_url: z.string().optional(),
      ssh_url: z.string().optional(),
      git_url: z.string().optional(),
      html_url: z.string().optional(),
      url: z.string().optional(),
    })
    .optional(),
});

function decode(body: unknown, headers: WebhookHeaders, eventHeaders: readonly string[]): Push | undefined {
  const event = eventHeaders.map((name) => headers[name]).find((value) => value !== undefined);
  // Branches that are deleted come as an event of their own, too, with a name that is not a whole reference.
  if (event !== undefined && event !== 'push') return undefined;
  const { ref, repository } = PushWire.parse(body);
  const branch = branchOf(ref);
  if (branch === undefined) return undefined;
  const { clone_url, git_url, html_url, ssh_url, url } = repository ?? {};
  return { branches: [branch], remotes: texts(clone_url, ssh_url, git_url, html_url, url) };
}

export const github: WebhookKind = {
  names: ['github'],
  decode: (body, headers) => decode(body, headers, ['x-github-event']),
  proof: { kind: 'signature', header: 'x-hub-signature-256', prefix: 'sha256=' },
};

export const gitea: WebhookKind = {
  names: ['gitea', 'forgejo', 'gogs'],
  decode: (body, headers) => decode(body, headers, ['x-gitea-event', 'x-forgejo-event', 'x-gogs-event']),
  proof: { kind: 'signature', header: 'x-gitea-signature', prefix: '' },
};
