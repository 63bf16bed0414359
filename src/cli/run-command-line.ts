/** From words on the command line to an exit code. */

import { readFileSync } from 'node:fs';
import { type Command, type CommandEntry, type CommandIo, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { findRequest } from './find-command.ts';

/** @param manifest - the package's `package.json`, which says the version */
export async function runCommandLine(words: readonly string[], manifest: URL): Promise<number> {
  const io = ioOfProcess();
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
    if (error instanceof UsageError) {
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

/** Messages for people, with what the system said; a stack only for what must be a bug. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isBug) return error.stack ?? error.message;
  const { cause, message } = error;
  const isSystems =
    cause instanceof Error && /^E[A-Z0-9]+$/.test((cause as NodeJS.ErrnoException).code ?? '');
  return isSystems && !message.includes(cause.message) ? `${message}\n${cause.message}` : message;
}

/** @returns the streams of this process, and its signals */
function ioOfProcess(): CommandIo {
  const stopping = new AbortController();
  let isWatched = false;
  const stop = () => {
    // Who never asked for the signal does not know how to stop. The second one insists.
    if (stopping.signal.aborted || !isWatched) process.exit(interrupted);
    stopping.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.on('error', endWithoutReader);
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    get signal() {
      isWatched = true;
      return stopping.signal;
    },
  };
}

/** As shells tell what a signal has ended. */
const interrupted = 130;
const brokenPipe = 141;

/** The reader of the output has stopped: `bunraku ... | head`. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(brokenPipe);
  process.stderr.write(`bunraku: cannot write: ${error.message}\n`);
  process.exit(1);
}
