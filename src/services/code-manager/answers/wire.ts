/** Answers of `/code-manager/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const Failure = z.strictObject({
  kind: z.string(),
  msg: z.string(),
  details: z.strictObject({ 'corrected-env-name': z.string() }),
});

const DeployedWire = z.strictObject({
  environment: z.string(),
  date: z.iso.datetime().nullable(),
  'environment-commit': z.string(),
  /** The commit of the control repository, or ours where it was committed by hand. */
  'deploy-signature': z.string(),
});

const WaitingWire = z.strictObject({ environment: z.string(), 'queued-at': z.iso.datetime() });
const FailedWire = WaitingWire.extend({ error: Failure });

export const CodeStatusWire = z.strictObject({
  'deploys-status': z.strictObject({
    new: z.array(WaitingWire),
    queued: z.array(WaitingWire),
    deploying: z.array(WaitingWire),
    failed: z.array(FailedWire),
  }),
  'file-sync-storage-status': z.strictObject({ deployed: z.array(DeployedWire) }),
  'file-sync-client-status': z.strictObject({
    'all-synced': z.boolean(),
    /** By certname. */
    'file-sync-clients': z.record(
      z.string(),
      z.strictObject({
        last_check_in_time: z.iso.datetime().nullable(),
        'synced-with-file-sync-storage': z.boolean(),
        deployed: z.array(DeployedWire),
      }),
    ),
  }),
});

const VersionWire = z.strictObject({
  commit: z.string(),
  date: z.iso.datetime(),
  'deploy-signature': z.string().nullable(),
  'is-current': z.boolean(),
});
/** Those that are kept, the latest first. */
export const VersionsWire = z.array(VersionWire);

const DeployWire = z.strictObject({
  environment: z.string(),
  id: z.int(),
  status: z.string(),
  'deploy-signature': z.string().optional(),
  'file-sync': z.strictObject({ 'environment-commit': z.string(), 'code-commit': z.string() }).optional(),
  error: Failure.optional(),
  warnings: z.array(z.string()).optional(),
});

const BranchWire = z.strictObject({
  environment: z.string().optional(),
  source: z.string(),
  remote: z.string().optional(),
  ref: z.string().optional(),
  type: z.string().optional(),
  error: z.strictObject({ kind: z.string().optional(), msg: z.string() }).optional(),
});

/** Deploys that were handed in; with `dry-run` the environments of each source. */
export const DeploysAnswerWire = z.union([z.array(DeployWire), z.array(BranchWire)]);

export const RolledBackWire = z.strictObject({
  environment: z.string(),
  'deploy-signature': z.string().nullable(),
  'file-sync': z.strictObject({ 'environment-commit': z.string() }),
  'all-synced': z.boolean(),
});

export type CodeStatus = Answer<z.infer<typeof CodeStatusWire>>;
export type DeployedEnvironment = Answer<z.infer<typeof DeployedWire>>;
export type FailedDeploy = Answer<z.infer<typeof FailedWire>>;
export type CodeVersion = Answer<z.infer<typeof VersionWire>>;
export type DeployAnswer = Answer<z.infer<typeof DeployWire>>;
export type KnownBranch = Answer<z.infer<typeof BranchWire>>;
export type RolledBack = Answer<z.infer<typeof RolledBackWire>>;
