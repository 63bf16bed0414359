/** What scenarios need of the machine: skipped by name where it is missing, failed where nothing may be skipped. */

import { describe, test } from 'vitest';
import { type DebianPackage, haproxy, isPresent, puppetAgent } from '../../../scripts/debian-packages.ts';

/** Scenarios of one kind; they need the real agent and the real HAProxy. */
export function scenarios(title: string, define: () => void): void {
  const missing = [puppetAgent, haproxy].filter((entry) => !isPresent(entry)).map(nameOf);
  scenariosUnless(missing.join(', '), title, define);
}

/** @param obstacle - why they can't be played here; empty when they can */
export function scenariosUnless(obstacle: string, title: string, define: () => void): void {
  if (obstacle === '') {
    describe(title, define);
    return;
  }
  console.warn(`SKIPPED: ${title}: ${obstacle}`);
  describe(title, () => {
    if (process.env['CI'] === 'true')
      test(`can be played here (${obstacle})`, () => {
        throw new Error(`${obstacle}; in CI nothing is skipped`);
      });
    else test.skip(`needs what is missing here: ${obstacle}`, () => {});
  });
}

function nameOf(entry: DebianPackage): string {
  return `Debian package ${entry.name} is missing`;
}
