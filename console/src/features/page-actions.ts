/** Actions of the current page for the palette. Each part of a page registers its own while it is mounted. */

import { useEffect, useState } from 'react';

export interface PageAction {
  /** `Run Puppet on 3 nodes`. */
  readonly title: string;
  readonly act: () => void;
}

const shown = new Map<symbol, readonly PageAction[]>();

/** Actions of a part of a page. */
export function usePageActions(actions: readonly PageAction[]): void {
  const [part] = useState(() => Symbol('part of a page'));
  // Each time: what an action does changes with what is chosen.
  useEffect(() => {
    shown.set(part, actions);
  });
  useEffect(() => () => void shown.delete(part), [part]);
}

/** Each title once: the first part that has it. */
export function pageActions(): readonly PageAction[] {
  const all = Array.from(shown.values()).flat();
  return Array.from(Map.groupBy(all, ({ title }) => title).values(), ([first]) => first as PageAction);
}
