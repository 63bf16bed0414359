/** `bunraku parser dump` */

import {
  dump,
  notationData,
  PuppetError,
  parseAndValidate,
  parseManifest,
  parseNotation,
  renderNotation,
  type SourceText,
} from '../../language/syntax/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { readStdin } from '../read-stdin.ts';
import { readText } from './facts-file.ts';
import { findManifests } from './manifest-files.ts';

export const parserDumpCommand: Command = {
  name: 'parser dump',
  summary: 'Print the syntax tree of manifests',
  usage: `
Usage: bunraku parser dump -e CODE | [FILE|DIRECTORY ...] [OPTIONS]

  -e CODE         The code itself
  --format FORMAT pn (default): Puppet Notation, or json: the same as JSON
  --pretty        On several lines
  --no-validate   Find errors of syntax only

Reads standard input when neither code nor files are given. Exit code 1 when there are errors.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: ['-e', '--e', '--format'],
      flags: ['--pretty', '--validate', '--no-validate'],
    });
    const render = rendererOf(line);
    const validates = !line.flags.has('--no-validate');
    const code = lastOf(line, '-e') ?? lastOf(line, '--e');
    if (code !== undefined || line.positional.length === 0) {
      const text = code ?? (await readStdin());
      if (text === undefined) throw new UsageError('No input to parse given on command line or stdin');
      const file = code === undefined ? 'stdin' : 'command-line-string';
      return dumpOne({ file, text }, { render, validates }, io) ? 0 : 1;
    }
    const { found, missing } = findManifests(line.positional);
    let isSound = missing.length === 0;
    for (const file of found) {
      io.stdout(`--- ${file}\n`);
      isSound = dumpOne({ file, text: readText(file) }, { render, validates }, io) && isSound;
    }
    if (missing.length > 0)
      io.stderr(
        `Error: One or more file(s) specified did not exist:\n${missing.map((file) => `   ${file}\n`).join('')}`,
      );
    return isSound ? 0 : 1;
  },
};

type Render = (pn: string) => string;

function rendererOf(line: CommandLine): Render {
  const format = lastOf(line, '--format') ?? 'pn';
  const isPretty = line.flags.has('--pretty');
  if (format === 'json')
    return (pn) => JSON.stringify(notationData(parseNotation(pn)), undefined, isPretty ? 2 : undefined);
  if (format === 'pn') return isPretty ? (pn) => renderNotation(parseNotation(pn)) : (pn) => pn;
  throw new UsageError(`the format is pn or json, not '${format}'`);
}

function dumpOne(
  source: SourceText,
  { render, validates }: { readonly render: Render; readonly validates: boolean },
  io: CommandIo,
): boolean {
  try {
    const log = ({ message }: { readonly message: string }): void => io.stderr(`${message}\n`);
    const program = validates ? parseAndValidate(source, { log }) : parseManifest(source);
    io.stdout(`${render(dump(program.body))}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    io.stderr(`Error: ${error.message}\n`);
    return false;
  }
}
