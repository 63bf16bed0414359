/** Which Ruby there is to run code of modules: the machine's, or the one that we bring. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment } from '../settings/index.ts';
import { Ruby, type RubyTransport } from './ruby.ts';
import { RubyMissing } from './ruby-errors.ts';
import { DEFAULT_COMMANDS, RubyProcess, type RubyProcessOptions } from './ruby-process.ts';
import type { RubyImages } from './wasm/ruby-images.ts';
import { WasmRuby } from './wasm/wasm-ruby.ts';

export interface RubyOptions extends RubyProcessOptions {
  /** What the built-in Ruby begins with; absent where it is not wanted. */
  readonly images?: RubyImages;
}

/** What the setting `ruby` means. */
export interface RubyChoice {
  /** Of the machine, tried in this order. */
  readonly commands: readonly string[];
  /** Whether the built-in one will do when none of them starts. */
  readonly allowsBuiltIn: boolean;
}

/** @param setting - `auto`, `wasm` or a command */
export function rubyChoice(setting: string): RubyChoice {
  if (setting === 'auto') return { commands: DEFAULT_COMMANDS, allowsBuiltIn: true };
  if (setting === 'wasm') return { commands: [], allowsBuiltIn: true };
  return { commands: [setting], allowsBuiltIn: false };
}

/** @throws RubyMissing when there is none */
export function startRuby(options: RubyOptions): Ruby {
  const { images, timeoutSeconds } = options;
  const transport = images === undefined ? startProcess(options) : firstThatStarts(options, images);
  return new Ruby(transport, timeoutSeconds);
}

function firstThatStarts(options: RubyOptions, images: RubyImages): RubyTransport {
  if (options.commands.length === 0) return builtIn(options, images);
  try {
    return startProcess(options);
  } catch (error) {
    if (!(error instanceof RubyMissing)) throw error;
    return builtIn(options, images, `${error.message}, and `);
  }
}

/** One that was killed while it started gets a second chance: another kind of Ruby may do less. */
function startProcess(options: RubyOptions): RubyProcess {
  try {
    return new RubyProcess(options);
  } catch (error) {
    if (!(error instanceof RubyMissing) || !error.hasStarted) throw error;
    return new RubyProcess(options);
  }
}

/** @param excuse - why it is needed */
function builtIn(
  { elsewhere = {}, gems, libraries, timeoutSeconds }: RubyOptions,
  images: RubyImages,
  excuse = '',
): RubyTransport {
  try {
    return new WasmRuby({
      images,
      // It has no RubyGems: gems without native extensions are libraries like others.
      libraries: [...libraries, ...(gems === undefined ? [] : gemLibraries(gems))],
      elsewhere,
      timeoutSeconds,
      environment: definedVariables(),
    });
  } catch (error) {
    if (!(error instanceof RubyMissing)) throw error;
    throw new RubyMissing(excuse + error.message);
  }
}

/** The directories that gems are required from, in a directory laid out as GEM_HOME. */
function gemLibraries(gems: string): readonly string[] {
  const directory = join(gems, 'gems');
  if (!existsSync(directory)) return [];
  const libraries = readdirSync(directory).map((name) => join(directory, name, 'lib'));
  return libraries.filter((library) => existsSync(library)).sort();
}

function definedVariables(): Readonly<Record<string, string>> {
  const entries = Object.entries(processEnvironment());
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
