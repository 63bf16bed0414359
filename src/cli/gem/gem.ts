/** `bunraku gem`: gems that code of modules needs, on every server the same. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rubyChoice } from '../../platform/ruby/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import { commitStaged } from '../code/commit.ts';
import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';

/** After these every server has to get the gems anew. */
const changing: ReadonlySet<string> = new Set(['install', 'uninstall', 'update', 'cleanup', 'pristine']);
const ownOptions: ReadonlySet<string> = new Set(['--data', '--codedir', '--ruby', '--code_staging']);

/** RubyGems' own command line, whatever the Ruby is called. */
const runner = `require "rubygems"; require "rubygems/gem_runner"; File.umask(0022)
begin; Gem::GemRunner.new.run(ARGV); rescue Gem::SystemExitException => e; exit(e.exit_code); end`;

export const gemCommand: Command = {
  name: 'gem',
  summary: "Install gems that modules' code in Ruby needs, on every server; list, update, uninstall them",
  usage: `
Usage: bunraku gem install NAME ... [GEM OPTIONS] [--no-commit] [--data DIR]
       bunraku gem list | uninstall NAME | update [NAME ...] [GEM OPTIONS]

Runs RubyGems ('gem help COMMAND' explains its commands and options) on a directory of the installation's own: gems/ in
the primary's staging directory. Afterwards it is committed like code: functions, templates, resource types and Hiera
backends on every server find the gems from then on, without a restart. Run it on the primary.

  --no-commit   Leave it to the next 'bunraku code commit' or deploy to bring the gems to the servers
  --data DIR    The directory of the primary, where it has one; --codedir, --code_staging and --ruby as the primary has them

Documentation is not installed. Gems with native extensions need the same Ruby on every server. Ruby has to be installed
here; servers without it use the built-in one, which sees gems without native extensions.
Exit code: that of RubyGems; 1 when a server does not get the gems.
`,
  async run(args, io) {
    const { isCommitting, line, words } = split(args);
    const [verb] = words;
    if (verb === undefined) throw new UsageError('Say what to do: install, list, uninstall or update');
    const directory = gemDirectory(line.settings);
    const exitCode = await runRubyGems(line.settings, directory, words);
    if (exitCode !== 0 || !changing.has(verb) || !isCommitting) return exitCode;
    return await commitStaged(readCommandLine([...line.given, '--wait'], commitOptions), io);
  },
};

const commitOptions = { withValue: ['--message'], flags: ['--wait', '-w'] };

/** Ours among the words that are RubyGems'. */
function split(args: readonly string[]) {
  const own: string[] = [];
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const name = word.split('=')[0] ?? '';
    if (!ownOptions.has(name)) words.push(word);
    else if (word.includes('=')) own.push(word);
    else own.push(word, args[(index += 1)] ?? '');
  }
  const { settings } = readCommandLine(own, { withValue: [], flags: [] });
  return {
    isCommitting: !words.includes('--no-commit'),
    words: words.filter((word) => word !== '--no-commit'),
    line: { settings, given: own },
  };
}

/** Beside the environments, so that each version of the code has its gems. Readable, as code is, whatever the umask. */
function gemDirectory({ codeStagingDir }: Settings): string {
  if (!existsSync(codeStagingDir))
    throw new UsageError(
      `There is no staging directory ${codeStagingDir}: is this the primary? Try --data DIR`,
    );
  const directory = join(codeStagingDir, 'gems');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  return directory;
}

/** @returns its exit code */
async function runRubyGems({ ruby }: Settings, directory: string, words: readonly string[]): Promise<number> {
  const { commands } = rubyChoice(ruby === 'wasm' ? 'auto' : ruby);
  const [verb = '', ...rest] = words;
  const quiet = verb === 'install' || verb === 'update' ? ['--no-document'] : [];
  for (const command of commands) {
    const code = await start(command, ['-e', runner, '--', verb, ...quiet, ...rest], directory);
    if (code !== undefined) return code;
  }
  const message = `RubyGems needs a Ruby on this machine (there is no ${commands.join(' and no ')}): install Debian's package 'ruby'`;
  throw new UsageError(message);
}

/** @returns `undefined` when the program is not installed */
function start(command: string, args: readonly string[], gems: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...processEnvironment(), GEM_HOME: gems, GEM_PATH: gems },
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}
