/** What of the page is told by the server when it changes. */

import { createContext, useContext, useEffect } from 'react';

export interface LiveState {
  /** Whether changes are told as they happen. */
  readonly isLive: boolean;
  /** Follows a topic as long as a page shows it. @returns what ends it */
  readonly follow: (topic: string) => () => void;
}

export const LiveContext = createContext<LiveState>({ isLive: false, follow: () => () => {} });

/**
 * Queries whose keys begin with a topic's prefix are asked again when the topic changes.
 *
 * @param isAllowed - false for those who may not follow it: one topic that is refused ends the stream of the whole browser
 */
export function useTopic(topic: string, isAllowed = true): void {
  const { follow } = useContext(LiveContext);
  useEffect(() => (isAllowed ? follow(topic) : undefined), [follow, topic, isAllowed]);
}

export function useLive(): boolean {
  return useContext(LiveContext).isLive;
}
