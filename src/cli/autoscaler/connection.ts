/** Commands that ask the primary about the number of compile servers. */

import { z } from 'zod';
import type { CommandLine } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { askService, type ServiceRequest, tokenUsage } from '../service-connection.ts';

export const connectionOptions = ['--token-file', '-t', '--cacert'] as const;

export const connectionUsage = tokenUsage;

/** @param request - below `/autoscaler/v1` @throws Error with what the primary said */
export async function askAutoscaler(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, `${primaryUrl(line.settings)}/autoscaler/v1`, request);
}

const SettingsWire = z.object({ min: z.number(), max: z.number(), target: z.number(), paused: z.boolean() });

const NumbersWire = z.object({
  capacity_used: z.number(),
  demand_workers: z.number(),
  need_workers: z.number(),
  work_workers: z.number(),
  backlog_workers: z.number(),
  planned_workers: z.number(),
  plan_trusted: z.boolean(),
  plan_error: z.number().nullable(),
  recent_peak_workers: z.number(),
  serving_workers: z.number(),
});

export const StatusWire = z.object({
  settings: SettingsWire,
  complete: z.boolean(),
  numbers: NumbersWire,
  nodes: z.object({ waiting: z.number(), known: z.number() }),
  servers: z.array(
    z.object({ certname: z.string(), phase: z.string(), workers: z.number(), used: z.number() }),
  ),
  /** Absent from a primary of an earlier version. */
  members: z
    .array(
      z.object({
        certname: z.string(),
        state: z.string(),
        since: z.string(),
        cause: z.string(),
        leaving: z.string().nullable(),
      }),
    )
    .default([]),
  advice: z.object({
    servers: z.number(),
    wanted: z.number(),
    advised: z.number(),
    holds: z.array(z.object({ kind: z.string(), until: z.string().nullable() })),
  }),
});

export type ScalingStatus = z.infer<typeof StatusWire>;

export async function readStatus(line: CommandLine): Promise<ScalingStatus> {
  return StatusWire.parse(await askAutoscaler(line, { method: 'GET', path: '/status' }));
}

export function renderSettings(answer: unknown): string {
  const { max, min, paused, target } = SettingsWire.parse(answer);
  return `${min} to ${max} servers, target ${target}${paused ? ', paused' : ''}\n`;
}
