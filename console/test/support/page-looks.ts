/** Pages in both themes, wide and narrow: a picture of each, and what is wrong with them. */

import { join } from 'node:path';
import { looks, overflows, violations } from './browser.ts';
import { pictureDirectory } from './console-site.ts';
import type { ConsoleWindow } from './console-window.ts';

/**
 * @param pages - addresses below the origin, by the names of their pictures
 * @param looksOf - how a page is looked at; in all ways when absent
 * @returns what axe finds, and pages that are wider than the window; empty when all is well
 */
export async function lookAt(
  { open, page, visitor }: Pick<ConsoleWindow, 'open' | 'page' | 'visitor'>,
  pages: Readonly<Record<string, string>>,
  looksOf: (name: string) => readonly (typeof looks)[number][] = () => looks,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const directory = pictureDirectory();
  const found: Record<string, readonly string[]> = {};
  for (const [name, address] of Object.entries(pages)) {
    await open(address);
    for (const look of looksOf(name)) {
      await page().emulateMedia({ colorScheme: look.theme });
      await page().setViewportSize(look.size);
      await page().screenshot({ path: join(directory, `${name}-${look.name}.png`), animations: 'disabled' });
      const wrong = look.hasAxe ? await violations(visitor()) : [];
      if (await overflows(page())) found[`${name} ${look.name} overflows`] = [];
      if (wrong.length > 0) found[`${name} ${look.name}`] = wrong;
    }
  }
  await page().emulateMedia({ colorScheme: 'light' });
  await page().setViewportSize({ width: 1280, height: 800 });
  return found;
}
