/** Catalogs whose compile lasts as long as a scenario wants. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from './site.ts';
import { until } from './until.ts';

/** Waits while it is compiled, until it is released; then there is the resource `Notify[done]`. */
export function heldManifest(site: Site): string {
  const script = `touch ${begun(site)}; while [ ! -e ${released(site)} ]; do sleep 0.05; done`;
  return `$waited = generate('/bin/sh', '-c', '${script}')\nnotify { 'done': }\n`;
}

/** Resolves when a compile waits. */
export async function untilHeld(site: Site): Promise<void> {
  await until('it compiles', () => existsSync(begun(site)));
}

/** From now on compiles wait again. */
export function holdCompiles(site: Site): void {
  rmSync(released(site), { force: true });
}

/** Lets all go on that wait, and those that come. */
export function releaseCompiles(site: Site): void {
  rmSync(begun(site), { force: true });
  writeFileSync(released(site), '');
}

function begun(site: Site): string {
  return join(site.directory, 'compiling');
}

function released(site: Site): string {
  return join(site.directory, 'finish');
}
