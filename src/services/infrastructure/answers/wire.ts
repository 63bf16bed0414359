/** Answers of `/infrastructure/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const ServerWire = z.strictObject({
  certname: z.string(),
  role: z.enum(['primary', 'compile server', 'puppetdb', 'console']),
  /** `running`, `leaving`, `unreachable` and the like. */
  state: z.string(),
  url: z.string().nullable(),
  version: z.string().nullable(),
  joined_at: z.string().nullable(),
  last_contact: z.string().nullable(),
  /** The commit that each environment is served from. */
  code: z.record(z.string(), z.string()),
  load: z
    .strictObject({
      workers: z.number(),
      busy_workers: z.number(),
      queued: z.number(),
      /** Of the machine, over one minute. */
      load_average: z.number(),
      cores: z.number(),
      resident_bytes: z.number(),
    })
    .nullable(),
  /** Messages that wait for the primary. */
  undelivered: z.number(),
  certificate_ends_at: z.string().nullable(),
});

/** A service of a server, as Puppet Enterprise's `puppet infrastructure status` lists it. */
const ServiceWire = z.strictObject({
  service: z.string(),
  display_name: z.string(),
  type: z.string(),
  state: z.string(),
  status: z.unknown(),
  server: z.string(),
  url: z.string(),
  alerts: z.array(z.strictObject({ severity: z.string(), message: z.string() })),
});

export const InfrastructureStatusWire = z.strictObject({
  /** The primary first. */
  servers: z.array(ServerWire),
  services: z.array(ServiceWire),
});

const JoinTokenWire = z.strictObject({
  id: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  uses_left: z.int().nullable(),
  certnames: z.array(z.string()),
  alt_names: z.array(z.string()),
});
export const JoinTokensWire = z.array(JoinTokenWire);

/** The token is shown this once. */
export const CreatedJoinTokenWire = z.strictObject({ id: z.string(), token: z.string() });

export const DrainWire = z.strictObject({ certname: z.string(), state: z.literal('leaving') });
export const DepartureWire = z.strictObject({
  certname: z.string(),
  drained: z.enum(['yes', 'not-needed', 'skipped']),
  revoked: z.boolean(),
  deactivated: z.boolean(),
});

export type ServerAnswer = Answer<z.infer<typeof ServerWire>>;
export type ServiceAnswer = Answer<z.infer<typeof ServiceWire>>;
export type InfrastructureStatus = Answer<z.infer<typeof InfrastructureStatusWire>>;
export type JoinTokenAnswer = Answer<z.infer<typeof JoinTokenWire>>;
export type CreatedJoinToken = Answer<z.infer<typeof CreatedJoinTokenWire>>;
export type DrainAnswer = Answer<z.infer<typeof DrainWire>>;
export type DepartureAnswer = Answer<z.infer<typeof DepartureWire>>;
