/** What commands read of the orchestrator's answers. */

import { z } from 'zod';

export const StartedWire = z.object({ job: z.object({ id: z.string(), name: z.string() }) });

const Counts = z.record(z.string(), z.number());

export const JobWire = z.looseObject({
  name: z.string(),
  state: z.string(),
  command: z.string(),
  options: z.looseObject({ task: z.string().optional() }),
  owner: z.object({ login: z.string() }),
  description: z.string(),
  environment: z.object({ name: z.string() }),
  timestamp: z.string().nullable(),
  node_count: z.number(),
  node_states: Counts.nullable(),
});

export const JobsWire = z.looseObject({ items: z.array(JobWire) });

export const NodesWire = z.looseObject({
  items: z.array(
    z.looseObject({
      name: z.string(),
      state: z.string(),
      duration: z.number().nullable(),
      details: z.object({ detail: z.string().optional() }),
      result: z.record(z.string(), z.json()).optional(),
    }),
  ),
});

export const EventsWire = z.looseObject({
  'next-events': z.object({ event: z.string() }),
  items: z.array(
    z.object({
      type: z.string(),
      message: z.string(),
      details: z.object({ node: z.string().optional() }),
    }),
  ),
});

export type ListedJob = z.infer<typeof JobWire>;
export type ListedNode = z.infer<typeof NodesWire>['items'][number];
