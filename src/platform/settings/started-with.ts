/**
 * What a server was started with beside its files: flags and variables. The server writes it into its state directory, and
 * commands for that directory read it, which then need no `--certname` and `--serverport` of their own.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { type RawValue, type RawValues, settingKey } from './raw-value.ts';

const StartedWith = z.record(z.string(), z.string());

/** Not written: the directory may be moved or copied. */
const unwritten: ReadonlySet<string> = new Set(['data', 'statedir']);

export function startedWithFile(stateDirectory: string): string {
  return join(stateDirectory, 'started-with.json');
}

/** Whether a server has run in this directory. */
export function hasRunBefore(
  stateDirectory: string,
  readFile: (path: string) => string | undefined,
): boolean {
  return readIfAllowed(startedWithFile(stateDirectory), readFile) !== undefined;
}

/** Other users of the machine may run commands too: to them an installation is like a new one. */
export function readIfAllowed(
  file: string,
  readFile: (path: string) => string | undefined,
): string | undefined {
  try {
    return readFile(file);
  } catch {
    return undefined;
  }
}

/** @param port - the port for agents: the one that was found when any free one was asked for */
export function encodeStartedWith(given: RawValues, port: number): string {
  const written = Array.from(given, ([name, { text }]) => [name, text] as const).filter(
    ([name]) => !unwritten.has(name),
  );
  const isAnyPort = given.get('serverport')?.text === '0';
  const all = { ...Object.fromEntries(written), ...(isAnyPort ? { serverport: String(port) } : {}) };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/** A file that is damaged says nothing: its server writes it anew at its next start. */
export function decodeStartedWith(text: string, file: string): RawValues {
  const values = new Map<string, RawValue>();
  const decoded = StartedWith.safeParse(parsed(text));
  for (const [name, value] of Object.entries(decoded.data ?? {}))
    values.set(settingKey(name), { text: value, origin: file });
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // damaged
  }
}
