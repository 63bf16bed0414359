/** What the page on the screen can do, for the palette: each part of a page says it as long as it is there. */

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
