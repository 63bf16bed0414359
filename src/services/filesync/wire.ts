/** Bodies of `/file-sync/v1/*`. */

import { z } from 'zod';
import { firstMistake, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';

const CommitsWire = z.record(z.string(), z.string());
const CommitIdWire = z.string().regex(/^[0-9a-f]{40}$/);

export const CommitsAnswerWire = z.object({
  commits: CommitsWire,
  /** Environments that are being deployed and have no commit yet. */
  coming: z.array(z.string()).default([]),
});

/** What a client sends with each poll. */
export const PollWire = z.object({
  serving: CommitsWire.default({}),
  known: CommitsWire.default({}),
  /** What it was told that is coming. */
  coming: z.array(z.string()).default([]),
  failures: z
    .array(z.object({ environment: z.string(), commit: z.string(), message: z.string() }))
    .default([]),
  wait_ms: z.number().min(0).max(60_000).default(0),
});

/** What a client asks for the objects of commits with. */
export const PackWire = z.object({
  want: z.array(CommitIdWire).min(1).max(10_000),
  have: z.array(CommitIdWire).max(10_000).default([]),
  suspect: z.boolean().default(false),
});

/** `POST /file-sync/v1/commit`, as documented for Puppet Enterprise; `wait_ms` is ours. */
export const CommitWire = z.object({
  'commit-all': z.boolean().optional(),
  'repo-id': z.string().optional(),
  'submodule-id': z.string().optional(),
  message: z.string().optional(),
  author: z.object({ name: z.string(), email: z.string() }).optional(),
  /** How long to wait until every client that is in contact serves what was committed. */
  wait_ms: z.number().min(0).max(300_000).default(0),
});

const bodies = new JsonBodies({
  takesEmpty: true,
  notJson: (_text, cause) =>
    new ServiceError('bad-request', 'The body is not valid JSON', { kind: 'json-parse-error', cause }),
  misshapen: (problem) => invalid(`Invalid body: ${firstMistake(problem)}`),
});

/** @throws ServiceError `bad-request` naming the field */
export function decodeBody<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
  return bodies.decode(shape, body);
}

export function invalid(message: string): ServiceError {
  return new ServiceError('bad-request', message, { kind: 'user-data-invalid' });
}
