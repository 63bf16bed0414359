/** Headers that go on to the other side; lengths and connections are between two neighbours. */

import type { IncomingHttpHeaders } from 'node:http';

/** @param names - in the letters that the other side gets them in */
export function picked(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Readonly<Record<string, string | string[]>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
