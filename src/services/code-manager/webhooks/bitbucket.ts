/** Pushes of Bitbucket: the service, and the server that used to be called Stash. */

import { z } from 'zod';
import { branchOf, texts, type WebhookKind } from './push.ts';

const proof = { kind: 'signature', header: 'x-hub-signature', prefix: 'sha256=' } as const;

const RefWire = z.looseObject({ type: z.string().optional(), name: z.string() }).nullish();

const CloudWire = z.object({
  push: z.object({ changes: z.array(z.object({ new: RefWire, old: RefWire })) }).optional(),
  repository: z
    .looseObject({
      links: z.looseObject({ html: z.looseObject({ href: z.string() }).optional() }).optional(),
    })
    .optional(),
});

export const bitbucket: WebhookKind = {
  names: ['bitbucket'],
  decode(body) {
    const { push, repository } = CloudWire.parse(body);
    if (push === undefined) return undefined;
    const branches = push.changes.flatMap(({ new: after, old: before }) => {
      const ref = after ?? before;
      return ref === undefined || ref === null || (ref.type ?? 'branch') !== 'branch' ? [] : [ref.name];
    });
    if (branches.length === 0) return undefined;
    return { branches: [...new Set(branches)], remotes: texts(repository?.links?.html?.href) };
  },
  proof,
};

const ServerWire = z.object({
  eventKey: z.string().optional(),
  changes: z
    .array(
      z.looseObject({
        ref: z.looseObject({ id: z.string().optional(), displayId: z.string().optional() }).optional(),
        refId: z.string().optional(),
      }),
    )
    .optional(),
  /** As the hook of old servers sends them. */
  refChanges: z.array(z.looseObject({ refId: z.string() })).optional(),
  repository: z
    .looseObject({
      links: z.looseObject({ clone: z.array(z.looseObject({ href: z.string() })).optional() }).optional(),
    })
    .optional(),
});

export const bitbucketServer: WebhookKind = {
  names: ['bitbucket-server', 'stash'],
  decode(body) {
    const { changes, eventKey, refChanges, repository } = ServerWire.parse(body);
    if (eventKey !== undefined && eventKey !== 'repo:refs_changed') return undefined;
    const refs = [
      ...(changes ?? []).map(({ ref, refId }) => refId ?? ref?.id ?? ''),
      ...(refChanges ?? []).map(({ refId }) => refId),
    ];
    const branches = [...new Set(refs.flatMap((ref) => branchOf(ref) ?? []))];
    if (branches.length === 0) return undefined;
    return { branches, remotes: (repository?.links?.clone ?? []).map(({ href }) => href) };
  },
  proof,
};
