/** Tells pages which nodes have changed, and how many have which status now. */

import type { NodeLists } from '../nodes/node-list.ts';
import type { LiveHub } from './live-hub.ts';

/** An index without requests is let go; a page that follows nodes counts as one. */
const keepMs = 60_000;

/** @returns what ends it */
export function tellOfNodes(lists: NodeLists, hub: LiveHub): () => void {
  lists.onChange((names) => {
    hub.publish('nodes', { changed: names.length });
    for (const name of names) hub.publish(`node:${name}`);
    if (hub.isFollowed('fleet')) void tellCounts(lists, hub);
  });
  hub.onFollow((topics) => {
    if (topics.some((topic) => /^(fleet|nodes|node:)/.test(topic))) void tellCounts(lists, hub);
  });
  const timer = setInterval(() => {
    if (['fleet', 'nodes', 'node:'].some((topic) => hub.isFollowed(topic))) void tellCounts(lists, hub);
  }, keepMs).unref();
  return () => clearInterval(timer);
}

async function tellCounts(lists: NodeLists, hub: LiveHub): Promise<void> {
  try {
    const { asOfMs, counts } = await lists.counts(undefined);
    hub.publish('fleet', { counts, as_of: new Date(asOfMs).toISOString() });
  } catch {
    // PuppetDB is away: pages show how old their numbers are.
  }
}
