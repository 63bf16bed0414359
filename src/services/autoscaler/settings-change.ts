/** The record of a change of settings. */

import type { Author, Change } from '../../platform/changes/index.ts';
import type { ScalingSettings } from './settings.ts';

/** @returns `undefined` when nothing differs */
export function settingsChange(
  before: ScalingSettings,
  after: ScalingSettings,
  author: Author,
  time: Date,
): Change | undefined {
  const messages: string[] = [];
  for (const name of ['min', 'max', 'target'] as const)
    if (before[name] !== after[name])
      messages.push(`Changed ${name} of the autoscaler from ${before[name]} to ${after[name]}`);
  if (before.isPaused !== after.isPaused)
    messages.push(after.isPaused ? 'Paused the autoscaler' : 'Resumed the autoscaler');
  if (messages.length === 0) return undefined;
  return {
    object: { service: 'infrastructure', type: 'autoscaler', id: 'autoscaler', name: 'autoscaler' },
    author,
    time,
    events: messages.map((message) => ({ action: 'edit', what: 'autoscaler', message })),
    before: { ...before },
    after: { ...after },
  };
}
