/** Events of a job as they come: server-sent events, and requests that wait for the next one. */

import type { StoredEvent } from '../job-store.ts';
import type { Orchestrator } from '../orchestrator.ts';
import { presentEvent } from './present.ts';

/** Proxies and clients take a connection that says nothing for dead. */
const quietMs = 15_000;

/**
 * @param start - the lowest id of an event that is wanted
 * @returns the stream's text; it ends with the job, or when the client has left
 */
export async function* streamEvents(
  orchestrator: Orchestrator,
  id: number,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let next = start;
  while (!signal.aborted) {
    // Asked for first: whatever comes while events are read counts.
    const change = orchestrator.nextChange(id, quietMs, signal);
    const isOver = await orchestrator.isOver(id);
    const events = await orchestrator.events(id, next);
    for (const event of events) yield textOf(event);
    next = (events.at(-1)?.id ?? next - 1) + 1;
    // There may be more of them.
    if (events.length > 0) continue;
    if (isOver) return;
    if (!(await change)) yield ': still here\n\n';
  }
}

/** Events from `start` on, once there are any, the job is over or the time is up. */
export async function waitForEvents(
  orchestrator: Orchestrator,
  id: number,
  start: number,
  limit: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<readonly StoredEvent[]> {
  const { signal, waitMs } = limit;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for (;;) {
    const change = orchestrator.nextChange(id, waitMs, ends);
    const isOver = await orchestrator.isOver(id);
    const events = await orchestrator.events(id, start);
    if (events.length > 0 || isOver || waitMs === 0 || ends.aborted) return events;
    await change;
  }
}

function textOf(event: StoredEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}
