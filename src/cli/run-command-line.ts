/** From words on the command line to an exit code. */

import { readFileSync } from 'node:fs';
import { type Command, type CommandIo, UsageError } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';
import { findRequest } from './find-command.ts';

/** @param manifest - the package's `package.json`, which says the version */
export async function runCommandLine(words: readonly string[], manifest: URL): Promise<number> {
  const stopping = new AbortController();
  const io: CommandIo = {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    signal: stopping.signal,
  };
  stopOnSignals(stopping);
  if (words[0] === '--version' || words[0] === '-V') {
    io.stdout(`${versionIn(manifest)}\n`);
    return 0;
  }
  const request = findRequest(words, commands);
  if (request.kind === 'help') io.stdout(request.text);
  else if (request.kind === 'mistake') io.stderr(request.text);
  if (request.kind !== 'command') return request.kind === 'help' ? 0 : 2;
  const { args, entry } = request;
  const command = await entry.load();
  if (asksForHelp(entry, args)) {
    io.stdout(renderHelp(command));
    return 0;
  }
  return runCommand(command, args, io);
}

function versionIn(manifest: URL): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}

/** `ca` has commands of its own, which explain themselves. */
function asksForHelp(entry: CommandEntry, args: readonly string[]): boolean {
  if (entry.name === 'ca') return args[0] === '--help' || args[0] === '-h' || args[0] === 'help';
  return args.includes('--help') || args.includes('-h');
}

async function runCommand(command: Command, args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await command.run(args, io);
  } catch (error) {
    if (error instanceof UsageError || isParseArgsError(error)) {
      io.stderr(`bunraku ${command.name}: ${error.message}\nTry 'bunraku ${command.name} --help'.\n`);
      return 2;
    }
    io.stderr(`bunraku ${command.name}: ${describe(error)}\n`);
    return 1;
  }
}

function renderHelp(command: Command): string {
  return `${command.summary}.\n\n${command.usage.trim()}\n`;
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}

/** Messages for people, causes included; a stack only for what must be a bug. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isBug ? (error.stack ?? error.message) : error.message;
}

/** The first signal asks to stop, the second one insists. */
function stopOnSignals(stopping: AbortController): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(130);
      stopping.abort();
    });
  }
}
