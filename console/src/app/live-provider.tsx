/** Keeps what is on the screen in step with the server. */

import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { StatusCounts } from '../api/nodes.ts';
import type { Change } from '../api/stream.ts';
import { LiveContext } from '../features/live.ts';
import { isLongList } from '../features/long-lists.ts';
import { SharedStream } from './shared-stream.ts';

/** Which queries are out of date when a topic has changed. */
function keysOf(topic: string): readonly QueryKey[] {
  const [kind = '', name = ''] = topic.split(/:(.*)/s);
  if (kind === 'fleet') return [['console', 'overview']];
  if (kind === 'nodes')
    return [
      ['console', 'nodes'],
      ['pdb', 'reports'],
    ];
  if (kind === 'node')
    return [
      ['pdb', 'node', name],
      ['console', 'node-status', name],
      ['pdb', 'last-reports', name],
      ['pdb', 'all-reports', name],
    ];
  if (kind === 'jobs') return [['orchestrator', 'jobs']];
  if (kind === 'job') return [['orchestrator', 'job', name]];
  if (kind === 'plan-jobs') return [['orchestrator', 'plan-jobs']];
  if (kind === 'plan-job') return [['orchestrator', 'plan-job', name]];
  if (kind === 'schedules') return [['orchestrator', 'schedules']];
  if (kind === 'groups') return [['classifier']];
  if (kind === 'activity') return [['activity', 'list']];
  if (kind === 'certificates') return [['ca']];
  if (kind === 'code') return [['code']];
  if (kind === 'servers') return [['infrastructure']];
  if (kind === 'scaling') return [['autoscaler']];
  return [];
}

/** What may change with a topic, costs more to find out, and may be a little older. */
function slowKeysOf(topic: string): readonly QueryKey[] {
  if (topic === 'nodes')
    return [
      ['console', 'events'],
      ['classifier', 'member-counts'],
    ];
  if (topic !== 'fleet') return [];
  return [
    ['console', 'runs'],
    ['console', 'last-runs'],
    ['pdb', 'failure-messages'],
  ];
}

/** A topic that changes more often is looked at so often. */
const calmMs = 2000;
const slowMs = 10_000;
/** The server gives many viewers the same answer, which is up to two seconds old: only later ones have the change. */
const slowDelayMs = 2500;
/** Not all pages that are open somewhere ask at the same moment: an agent would wait for all of them. */
const slowSpreadMs = 4000;
/** Without a stream, what is on the screen is asked for again after about so long. */
const pollMs = 30_000;

export function LiveProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  const [followed] = useState(() => new Map<string, number>());
  const shared = useRef<SharedStream>(undefined);
  useEffect(() => {
    const refresh = calmly(calmMs, (topic) => {
      for (const queryKey of keysOf(topic)) markChanged(queries, queryKey);
    });
    const refreshSlowly = calmly(
      slowMs,
      (topic) => {
        for (const queryKey of slowKeysOf(topic)) markChanged(queries, queryKey);
      },
      () => slowDelayMs + Math.random() * slowSpreadMs,
    );
    const stream = new SharedStream({
      onChange(change) {
        const { topic } = change;
        if (!takeCounts(queries, change)) refresh(topic);
        refreshSlowly(topic);
      },
      onReset(topics) {
        topics.forEach(refresh);
        topics.forEach(refreshSlowly);
      },
      onLive: setLive,
    });
    shared.current = stream;
    stream.follow(Array.from(followed.keys()));
    return () => {
      shared.current = undefined;
      stream.close();
    };
  }, [queries, followed]);
  usePolling(!isLive);
  const state = useMemo(() => ({ isLive, follow: followIn(followed, shared) }), [isLive, followed]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

/**
 * The counts of all environments come with the event, so that no page asks for them. Those of one environment are asked for.
 *
 * @returns whether nothing is left to be asked for
 */
function takeCounts(queries: QueryClient, { as_of: asOf, counts, topic }: Change): boolean {
  if (topic !== 'fleet' || typeof asOf !== 'string' || typeof counts !== 'object' || counts === null)
    return false;
  const numbers = counts as StatusCounts;
  const total = Object.values(numbers).reduce((sum, count) => sum + count, 0);
  queries.setQueryData(['console', 'overview', undefined], { total, counts: numbers, as_of: asOf });
  const others = (query: Query) => query.queryKey[2] !== undefined && query.isActive();
  return (
    queries.getQueryCache().findAll({ queryKey: ['console', 'overview'], predicate: others }).length === 0
  );
}

/** What a hidden tab shows is read when somebody looks at it again: the window's focus does that. */
function markChanged(queries: QueryClient, queryKey: QueryKey): void {
  const isHidden = document.visibilityState === 'hidden';
  const isLeft = (query: Query) => isHidden || isLongList(query);
  void queries.invalidateQueries({ queryKey, predicate: isLeft, refetchType: 'none' });
  void queries.invalidateQueries({ queryKey, predicate: (query) => !isLeft(query) });
}

/** Counts who wants which topic: two parts of a page may follow the same. */
function followIn(followed: Map<string, number>, shared: { readonly current: SharedStream | undefined }) {
  const add = (topic: string, more: number) => {
    const count = (followed.get(topic) ?? 0) + more;
    if (count > 0) followed.set(topic, count);
    else followed.delete(topic);
    shared.current?.follow(Array.from(followed.keys()));
  };
  return (topic: string) => {
    add(topic, 1);
    return () => add(topic, -1);
  };
}

/** The first change of a topic counts at once, or after a delay; those that follow soon count together. */
function calmly(ms: number, act: (topic: string) => void, delayMs?: () => number): (topic: string) => void {
  const waiting = new Map<string, boolean>();
  const begin = (topic: string) => {
    if (delayMs === undefined) act(topic);
    else setTimeout(() => act(topic), delayMs());
    waiting.set(topic, false);
    setTimeout(() => {
      const hasMore = waiting.get(topic) === true;
      waiting.delete(topic);
      if (hasMore) begin(topic);
    }, ms);
  };
  return (topic) => (waiting.has(topic) ? waiting.set(topic, true) : begin(topic));
}

/** Asks again for what is on the screen, unless the page is hidden. */
function usePolling(isNeeded: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible')
          void queries.invalidateQueries({ predicate: (query) => query.isStale() && !isLongList(query) });
      },
      pollMs * (0.9 + Math.random() * 0.2),
    );
    return () => clearInterval(timer);
  }, [isNeeded, queries]);
}
