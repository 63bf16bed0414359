/** `--extension NAME=VALUE` */

import { UsageError } from '../command.ts';

export function readExtensions(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new UsageError(`--extension takes NAME=VALUE, not '${pair}'`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
