/**
 * Reads every resource type of the modules in a modulepath without Ruby, asks the installed Puppet for the same,
 * and compares.
 *
 *   node test/resource-types/compare-with-puppet.ts [MODULEPATH] [--ruby] [--only REGEXP] [--answers FILE] [--verbose] [--json]
 *
 * Types that are flagged as not understood are counted; one that differs fails the run. Types that Puppet itself
 * can't load are listed, and compared with nothing. With `--ruby` the types come from our Ruby process instead, as
 * those do that are flagged. `--answers` takes what ask-puppet.rb printed before. `--json` adds a line with the counts.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ResourceTypeInfo } from '../../src/language/catalog/index.ts';
import { type Libraries, ResourceTypeReader } from '../../src/language/ruby/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { RubyError } from '../../src/platform/ruby/index.ts';
import { DiskFileTree } from '../support/disk-file-tree.ts';
import { quickRuby } from '../support/quick-ruby.ts';
import { type FromRuby, withTypesFromRuby } from './types-from-ruby.ts';

type FromFile = ReturnType<ResourceTypeReader['read']>;

interface Answer {
  readonly type: string;
  readonly error?: string;
  readonly properties: readonly string[];
  readonly parameters: readonly string[];
  readonly namevars: readonly string[];
  readonly isIsomorphic: boolean;
  readonly titlePatterns: readonly {
    readonly source: string;
    readonly options: number;
    readonly attributes: readonly string[];
    /** What each proc makes of the samples. */
    readonly procs?: readonly (readonly (readonly [unknown] | string)[] | null)[];
  }[];
}

/** Those of ask-puppet.rb. */
const SAMPLES = ['', 'a', '/', '/a/', '/A/b//', 'Ab:c d', '42', '::1'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    answers: { type: 'string' },
    ruby: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const modulepath = positionals[0] ?? '/usr/share/puppet/modules';
const libraries: Libraries = {
  tree: new DiskFileTree(),
  directories: [...libraryDirectories()],
  puppetVersion: '7.23.0',
};
const reader = new ResourceTypeReader({ parser: new RubyParser(prismFiles()) });

const counts = { exact: 0, flagged: 0, wrong: 0, unanswered: 0 };
let milliseconds = 0;
const only = options.only === undefined ? undefined : new RegExp(options.only);
const asked = answers().filter(({ type }) => only?.test(type) ?? true);
if (options.ruby) withTypesFromRuby(modulepath, (read) => asked.forEach((answer) => compare(answer, read)));
else for (const answer of asked) compare(answer, readFile);
process.stdout.write(
  `${counts.exact} exact, ${counts.flagged} flagged, ${counts.wrong} wrong, ` +
    `${counts.unanswered} that Puppet can't load; ${milliseconds.toFixed(0)} ms to read them\n`,
);
if (options.json) process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.wrong > 0 ? 1 : 0;

function* libraryDirectories(): Iterable<string> {
  for (const directory of modulepath.split(':')) {
    for (const module of readdirSync(directory).sort()) {
      const library = path.join(directory, module, 'lib');
      if (existsSync(library)) yield library;
    }
  }
}

function answers(): readonly Answer[] {
  const text = options.answers === undefined ? askPuppet() : readFileSync(options.answers, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"type"'))
    .map((line) => JSON.parse(line) as Answer);
}

/** Those that are asked for; none means all. */
function typeNames(): readonly string[] {
  if (only === undefined) return [];
  const files = libraries.directories
    .map((directory) => path.join(directory, 'puppet/type'))
    .flatMap((directory) => (existsSync(directory) ? readdirSync(directory) : []));
  const names = files.filter((file) => file.endsWith('.rb')).map((file) => path.basename(file, '.rb'));
  return [...new Set(names)].filter((name) => only.test(name));
}

function askPuppet(): string {
  const script = path.join(import.meta.dirname, 'ask-puppet.rb');
  const { status, stdout, stderr } = spawnSync('ruby', [script, modulepath, '--load-path', ...typeNames()], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...quickRuby() },
  });
  if (status !== 0) throw new Error(`ask-puppet.rb failed: ${stderr}`);
  return stdout;
}

function readFile(name: string): FromFile {
  const file = libraries.directories
    .map((directory) => `${directory}/puppet/type/${name}.rb`)
    .find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`no file for ${name}`);
  return reader.read(name, file, libraries);
}

function compare(answer: Answer, read: (name: string) => FromFile | FromRuby): void {
  const began = performance.now();
  const result = read(answer.type);
  const took = performance.now() - began;
  milliseconds += took;
  if (answer.error !== undefined && answer.error !== 'no such type') {
    counts.unanswered += 1;
    process.stdout.write(`${answer.type}: Puppet can't load it: ${answer.error.split('\n')[0]}\n`);
    return;
  }
  if (result.kind === 'flagged') {
    counts.flagged += 1;
    process.stdout.write(`${answer.type}: flagged: ${result.reason}\n`);
    return;
  }
  if (result.kind === 'failed') {
    counts.flagged += 1;
    process.stdout.write(`${answer.type}: Ruby fails: ${result.message.split('\n')[0]}\n`);
    return;
  }
  const ours = result.kind === 'none' ? { error: 'no such type' } : canonical(result.type);
  const theirs = answer.error === undefined ? canonicalAnswer(answer) : { error: answer.error };
  if (JSON.stringify(ours) === JSON.stringify(theirs)) counts.exact += 1;
  else {
    counts.wrong += 1;
    process.stdout.write(
      `${answer.type}: WRONG\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}\n`,
    );
  }
  if (options.verbose) process.stdout.write(`${answer.type}: ${took.toFixed(1)} ms\n`);
}

function canonicalAnswer(answer: Answer): object {
  return {
    properties: answer.properties,
    parameters: answer.parameters,
    namevars: answer.namevars,
    isIsomorphic: answer.isIsomorphic,
    titlePatterns: answer.titlePatterns.map(({ source, options: bits, attributes, procs }) => ({
      source,
      bits,
      attributes,
      procs: attributes.map((_, index) => converted(procs?.[index])),
    })),
  };
}

/** Procs that change nothing are none. */
function converted(results: readonly (readonly [unknown] | string)[] | null | undefined): unknown {
  if (results === null || results === undefined) return null;
  const texts = results
    .slice(0, SAMPLES.length)
    .map((result) => (Array.isArray(result) ? result[0] : result));
  return texts.every((text, index) => text === SAMPLES[index]) ? null : texts;
}

function canonical(type: ResourceTypeInfo): object {
  return {
    properties: [...type.properties],
    parameters: [...type.parameters],
    namevars: type.namevars,
    isIsomorphic: type.isIsomorphic,
    titlePatterns: type.titlePatterns.map(
      ({ source, multiline, ignoreCase, extended, attributes, conversions }) => ({
        source,
        bits: (multiline ? 4 : 0) + (extended === true ? 2 : 0) + (ignoreCase === true ? 1 : 0),
        attributes,
        procs: attributes.map((_, index) => {
          const convert = conversions?.[index];
          return converted(
            convert === undefined ? undefined : SAMPLES.map((sample) => answerTo(convert, sample)),
          );
        }),
      }),
    ),
  };
}

/** An error is known by its class there and not at all here. */
function answerTo(convert: (capture: string) => string | null, sample: string): [string | null] | string {
  try {
    return [convert(sample)];
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    const { cause } = error;
    return cause instanceof RubyError ? cause.rubyClass : 'Error';
  }
}
