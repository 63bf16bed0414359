/** Which command the words of a command line mean, and what to say when they mean none. */

import { nearestName } from '../lib/nearest-name.ts';
import type { CommandEntry } from './command.ts';

/** What the words ask for. */
export type Request =
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly args: readonly string[] }
  /** Text for standard output. */
  | { readonly kind: 'help'; readonly text: string }
  /** Text for standard error. */
  | { readonly kind: 'mistake'; readonly text: string };

const helpWords: readonly string[] = ['--help', '-h', 'help'];

/** @param commands - all that there are; a word that several begin with explains those */
export function findRequest(words: readonly string[], commands: readonly CommandEntry[]): Request {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'help', text: renderOverview(commands) };
  if (helpWords.includes(first)) return helpFor(rest, commands);
  const entry = findCommand(words, commands);
  if (entry !== undefined) return { kind: 'command', entry, args: words.slice(wordsOf(entry).length) };
  const group = commands.filter((each) => wordsOf(each)[0] === first);
  if (group.length === 0) return { kind: 'mistake', text: renderMistake(words, commands) };
  const [second] = rest;
  if (second === undefined || helpWords.includes(second))
    return { kind: 'help', text: renderOverview(group) };
  const inner = group.filter((each) => wordsOf(each).length > 2 && wordsOf(each)[1] === second);
  const [, third] = rest;
  if (inner.length > 0 && (third === undefined || helpWords.includes(third)))
    return { kind: 'help', text: renderOverview(inner) };
  return { kind: 'mistake', text: renderMistake(words.slice(0, 2), group) };
}

/** `help code deploy` is `code deploy --help`. */
function helpFor(words: readonly string[], commands: readonly CommandEntry[]): Request {
  return words.length === 0 || words[0]?.startsWith('-') === true
    ? { kind: 'help', text: renderOverview(commands) }
    : findRequest([...words, '--help'], commands);
}

/** The command whose words the command line begins with; the longest name wins. */
function findCommand(words: readonly string[], commands: readonly CommandEntry[]): CommandEntry | undefined {
  return commands
    .filter((entry) => wordsOf(entry).every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

function wordsOf({ name }: CommandEntry): readonly string[] {
  return name.split(' ');
}

function renderMistake(words: readonly string[], commands: readonly CommandEntry[]): string {
  const names = commands.flatMap((entry) => [entry.name, wordsOf(entry)[0] ?? '']);
  const nearest = nearestName(words.join(' '), names) ?? nearestName(words[0] ?? '', names);
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  return `bunraku: there is no command '${words.join(' ')}'${hint}\n\n${renderOverview(commands)}`;
}

function renderOverview(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map((entry) => entry.name.length)) + 2;
  const lines = commands.map((entry) => `  ${entry.name.padEnd(width)}${entry.summary}`);
  return `Usage: bunraku COMMAND [OPTIONS]\n\n${lines.join('\n')}\n\n'bunraku COMMAND --help' explains a command; 'bunraku --version' prints the version.\n`;
}
