/** From words on the command line to an exit code. */

import { type Command, type CommandIo, UsageError } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';

export async function runCommandLine(words: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  const io: CommandIo = {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    signal: stopping.signal,
  };
  stopOnSignals(stopping);
  const entry = findCommand(words);
  if (entry === undefined) return explain(words, io);
  const command = await entry.load();
  const args = words.slice(entry.name.split(' ').length);
  if (asksForHelp(entry, args)) {
    io.stdout(renderHelp(command));
    return 0;
  }
  return runCommand(command, args, io);
}

/** The command whose words the command line begins with; the longest name wins. */
function findCommand(words: readonly string[]): CommandEntry | undefined {
  return commands
    .filter((entry) => entry.name.split(' ').every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0];
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

function explain(words: readonly string[], io: CommandIo): number {
  const [first] = words;
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    io.stdout(renderOverview());
    return 0;
  }
  io.stderr(`bunraku: there is no command '${words.join(' ')}'\n\n${renderOverview()}`);
  return 2;
}

function renderOverview(): string {
  const width = Math.max(...commands.map((entry) => entry.name.length)) + 2;
  const lines = commands.map((entry) => `  ${entry.name.padEnd(width)}${entry.summary}`);
  return `Usage: bunraku COMMAND [OPTIONS]\n\n${lines.join('\n')}\n\n'bunraku COMMAND --help' explains a command.\n`;
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
