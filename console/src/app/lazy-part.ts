/** Parts of the shell that the first page does not need: they are fetched when it is there. */

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** After the page has been read. */
const earlyMs = 2000;

/** @param load - also called early, so that the part is there when somebody wants it */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  // What cannot be fetched now is fetched again when it is wanted.
  addEventListener('load', () => setTimeout(() => void load().catch(() => undefined), earlyMs));
  return lazy(async () => ({ default: await load() }));
}
