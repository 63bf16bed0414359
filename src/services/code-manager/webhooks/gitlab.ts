/** Pushes of GitLab. */

import { z } from 'zod';
import { branchOf, texts, type WebhookKind } from './push.ts';

const PushWire = z.object({
  object_kind: z.string().optional(),
  ref: z.string().optional(),
  project: z
    .looseObject({
      git_http_url: z.string().optional(),
      git_ssh_url: z.string().optional(),
      http_url: z.string().optional(),
      ssh_url: z.string().optional(),
      web_url: z.string().optional(),
    })
    .optional(),
});

export const gitlab: WebhookKind = {
  names: ['gitlab'],
  decode(body) {
    const { object_kind: event, project, ref } = PushWire.parse(body);
    const branch = branchOf(ref ?? '');
    if ((event !== undefined && event !== 'push') || branch === undefined) return undefined;
    const { git_http_url, git_ssh_url, http_url, ssh_url, web_url } = project ?? {};
    return { branches: [branch], remotes: texts(git_http_url, git_ssh_url, http_url, ssh_url, web_url) };
  },
  proof: { kind: 'secret', header: 'x-gitlab-token' },
};
