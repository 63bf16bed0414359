/** Keeps what is on the screen in step with the server. */

import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { LiveContext } from '../features/live.ts';
import { isLongList } from '../features/long-lists.ts';
import { SharedStream } from './shared-stream.ts';

/** Which queries are out of date when a topic has changed. */
function keysOf(topic: string): readonly QueryKey[] {
  const [kind = '', name = ''] = topic.split(/:(.*)/s);
  if (kind === 'fleet')
    return [
      ['console', 'overview'],
      ['pdb', 'eventful-reports'],
      ['pdb', 'failure-messages'],
    ];
  if (kind === 'nodes')
    return [
      ['console', 'nodes'],
      ['console', 'events'],
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

/** A topic that changes more often is looked at so often. */
const calmMs = 2000;
/** Without a stream, what is on the screen is asked for again after about so long. */
const pollMs = 30_000;

export function LiveProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  const [followed] = useState(() => new Map<string, number>());
  const shared = useRef<SharedStream>(undefined);
  useEffect(() => {
    const refresh = calmly((topic) => {
      for (const queryKey of keysOf(topic)) markChanged(queries, queryKey);
    });
    const stream = new SharedStream({
      onChange: ({ topic }) => refresh(topic),
      onReset: (topics) => topics.forEach(refresh),
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

/** The first change of a topic counts at once, those that follow soon count together. */
function calmly(act: (topic: string) => void): (topic: string) => void {
  const waiting = new Map<string, boolean>();
  const begin = (topic: string) => {
    act(topic);
    waiting.set(topic, false);
    setTimeout(() => {
      const hasMore = waiting.get(topic) === true;
      waiting.delete(topic);
      if (hasMore) begin(topic);
    }, calmMs);
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
