/** Pages in both themes, wide and narrow: a picture of each, and what is wrong with them. */

import { join } from 'node:path';
import { looks, overflows, violations } from './browser.ts';
import { pictureDirectory } from './console-site.ts';
import type { ConsoleWindow } from './console-window.ts';

type Look = (typeof looks)[number];
type Found = Readonly<Record<string, readonly string[]>>;
type Scene = Pick<ConsoleWindow, 'page' | 'visitor'>;

/**
 * @param pages - addresses below the origin, by the names of their pictures
 * @param looksOf - how a page is looked at; in all ways when absent
 * @returns what axe finds, and pages that are wider than the window; empty when all is well
 */
export async function lookAt(
  scene: Scene & Pick<ConsoleWindow, 'open'>,
  pages: Readonly<Record<string, string>>,
  looksOf: (name: string) => readonly Look[] = () => looks,
): Promise<Found> {
  const found: Record<string, readonly string[]> = {};
  for (const [name, address] of Object.entries(pages)) {
    await scene.open(address);
    Object.assign(found, await lookAtThis(scene, name, looksOf(name)));
  }
  await leaveAsUsual(scene);
  return found;
}

/** Looks at the page with its open dialog in both themes, once wide and once narrow. @returns as `lookAt` */
export async function lookHere(scene: Scene, name: string): Promise<Found> {
  const found = await lookAtThis(
    scene,
    name,
    looks.filter(({ hasAxe }) => hasAxe),
  );
  await leaveAsUsual(scene);
  return found;
}

async function lookAtThis({ page, visitor }: Scene, name: string, wanted: readonly Look[]): Promise<Found> {
  const found: Record<string, readonly string[]> = {};
  for (const look of wanted) {
    await page().emulateMedia({ colorScheme: look.theme });
    await page().setViewportSize(look.size);
    const path = join(pictureDirectory(), `${name}-${look.name}.png`);
    await page().screenshot({ path, animations: 'disabled' });
    const wrong = look.hasAxe ? await violations(visitor()) : [];
    if (await overflows(page())) found[`${name} ${look.name} overflows`] = [];
    if (wrong.length > 0) found[`${name} ${look.name}`] = wrong;
  }
  return found;
}

async function leaveAsUsual({ page }: Scene): Promise<void> {
  await page().emulateMedia({ colorScheme: 'light' });
  await page().setViewportSize({ width: 1280, height: 800 });
}
