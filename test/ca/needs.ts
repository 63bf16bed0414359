/** What a test needs of the machine: skipped by name where it is missing, failed where nothing may be skipped. */

import { describe, test } from 'vitest';

/** @param isPresent - whether `what`, a Debian package, is installed */
export function describeWith(what: string, isPresent: boolean, title: string, define: () => void): void {
  if (isPresent) {
    describe(title, define);
    return;
  }
  console.warn(`SKIPPED: ${title}: the Debian package ${what} is missing`);
  describe(title, () => {
    if (process.env['CI'] === 'true')
      test(`has ${what}`, () => {
        throw new Error(`The Debian package ${what} is missing; in CI nothing is skipped`);
      });
    else test.skip(`needs the Debian package ${what}`, () => {});
  });
}
