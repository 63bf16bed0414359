/** Templates with generated variables, and what the installed Puppet makes of them. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../../src/lib/json.ts';
import { quickRuby } from '../support/quick-ruby.ts';
import { randomFrom } from '../support/random-from.ts';
import { generatedVariables } from './generated-variables.ts';

export interface Request {
  readonly file: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, Json>>;
}

/** What a template called, and what it was answered: JSON of a list with the result, or an error. */
export type RecordedCall = readonly [name: string, result: string | null, error: string | null];

export interface Answer {
  readonly text?: string;
  readonly error?: string;
  /** Why the answer could not be written down. */
  readonly unusable?: string;
  readonly calls?: readonly RecordedCall[];
}

/** Templates below some directories, each once; links are followed, as module packages use them. */
export function* templateFiles(directories: readonly string[], only: RegExp | undefined): Iterable<string> {
  const seen = new Set<string>();
  for (const directory of directories) {
    for (const file of filesBelow(directory, 0)) {
      const real = realpathSync(file);
      if (!file.endsWith('.erb') || seen.has(real) || !(only?.test(file) ?? true)) continue;
      seen.add(real);
      yield real;
    }
  }
}

function* filesBelow(directory: string, depth: number): Iterable<string> {
  for (const name of readdirSync(directory).sort()) {
    const file = path.join(directory, name);
    const status = statSync(file, { throwIfNoEntry: false });
    if (status?.isDirectory() === true && depth < 12) yield* filesBelow(file, depth + 1);
    else if (status?.isFile() === true) yield file;
  }
}

/** One template with different variables, the same ones for the same seed. */
export function requestsFor(file: string, rounds: number, seed: number): readonly Request[] {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  const hosts = factSets();
  return Array.from({ length: rounds }, (_, round) => {
    const random = randomFrom(seed * 1000 + round * 7919 + text.length);
    const facts = hosts[Math.floor(random() * hosts.length)] ?? {};
    return { file, text, variables: generatedVariables(text, facts, random) };
  });
}

function factSets(): readonly Readonly<Record<string, Json>>[] {
  const directory = new URL('../recorded/fleet/facts/', import.meta.url);
  const names = readdirSync(directory).sort();
  return names.slice(0, 8).map((name) => {
    const read = JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as {
      values: Record<string, Json>;
    };
    return read.values;
  });
}

export function askPuppet(modulepath: string, all: readonly Request[]): readonly Answer[] {
  const script = path.join(import.meta.dirname, 'render-with-puppet.rb');
  const { status, stdout, stderr } = spawnSync('ruby', [script, modulepath], {
    input: all.map((request) => `${JSON.stringify(request)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, ...quickRuby(), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  });
  if (status !== 0) throw new Error(`render-with-puppet.rb failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer);
}
