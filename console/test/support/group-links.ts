/** Where groups are linked in the tree of node groups. */

import type { ConsoleWindow } from './console-window.ts';

/** Links of groups say when a group is edited, or decides on environments. */
export function linkTo(group: string): RegExp {
  return new RegExp(`^${group}( edited| environment)*$`);
}

export async function groupAddress({ open, page }: ConsoleWindow, name: string): Promise<string> {
  await open('/groups');
  const href = await page()
    .getByRole('link', { name: linkTo(name) })
    .getAttribute('href');
  if (href === null) throw new Error(`the tree of groups has no ${name}`);
  return href;
}
