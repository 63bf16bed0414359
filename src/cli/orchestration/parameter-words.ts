/** Parameters of tasks and plans on the command line. */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';

/**
 * `--params`, and words of the form NAME=VALUE, which go before it.
 *
 * @throws UsageError for a word that is no parameter
 */
export function parametersOf(line: CommandLine, words: readonly string[]): object {
  const text = lastOf(line, '--params');
  const named = words.map((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`'${word}' is no parameter: write NAME=VALUE`);
    return [name, valueIn(value)] as const;
  });
  return { ...(text === undefined ? {} : hashIn(text)), ...Object.fromEntries(named) };
}

function hashIn(text: string): object {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  const found = z.record(z.string(), z.json()).safeParse(valueIn(json));
  if (!found.success) throw new UsageError('--params is a hash in JSON, or @FILE with one');
  return found.data;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
