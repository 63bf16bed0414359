/** Pushes of Azure DevOps, which used to be called Team Foundation Server. */

import { z } from 'zod';
import { branchOf, texts, type WebhookKind } from './push.ts';

const PushWire = z.object({
  eventType: z.string().optional(),
  resource: z
    .looseObject({
      refUpdates: z.array(z.looseObject({ name: z.string() })).default([]),
      repository: z
        .looseObject({ remoteUrl: z.string().optional(), sshUrl: z.string().optional() })
        .optional(),
    })
    .optional(),
});

export const azureDevOps: WebhookKind = {
  names: ['tfs-git', 'azure-devops'],
  decode(body) {
    const { eventType, resource } = PushWire.parse(body);
    if (resource === undefined || (eventType !== undefined && eventType !== 'git.push')) return undefined;
    const branches = [...new Set(resource.refUpdates.flatMap(({ name }) => branchOf(name) ?? []))];
    if (branches.length === 0) return undefined;
    return { branches, remotes: texts(resource.repository?.remoteUrl, resource.repository?.sshUrl) };
  },
  proof: { kind: 'basic' },
};
