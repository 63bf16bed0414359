/** Runs a command as the command line does, for tests. */

import type { Command } from './command.ts';

export interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export async function runCommand(command: Command, ...args: readonly string[]): Promise<Outcome> {
  let out = '';
  let err = '';
  const exitCode = await command.run(args, {
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    isTerminal: false,
    signal: new AbortController().signal,
  });
  return { exitCode, out, err };
}
