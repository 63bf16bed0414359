/** Ruby for tests: one for each environment, the machine's or the built-in one. */

import type { Environment } from '../../src/language/environment/index.ts';
import type { RubyHost } from '../../src/language/evaluator/index.ts';
import { InterpretedFunctions } from '../../src/language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { OwnRubyImages, rubyChoice } from '../../src/platform/ruby/index.ts';
import { RubyEnvironment } from '../../src/services/compiler/ruby/index.ts';

const images = new OwnRubyImages();
const parser = new RubyParser(prismFiles());
const interpreter = new InterpretedFunctions((source) => parser.parse(source));
const hosts = new WeakMap<Environment, RubyEnvironment>();
const shared = new Map<string, RubyEnvironment>();

/**
 * The host that runs the environment's Ruby code; it ends with this process.
 *
 * @param setting - `auto`, `wasm` or a command, as servers have it; for the first call with an environment
 */
export function rubyOf(environment: Environment, setting = 'auto'): RubyHost {
  let host = hosts.get(environment);
  if (host === undefined) {
    host = newHost(environment, setting);
    hosts.set(environment, host);
  }
  return host;
}

/**
 * One host for all environments that differ in nothing but their main manifest, as a server has one Ruby for many compiles. It ends
 * with this process.
 */
export function sharedRubyOf(environment: Environment): RubyHost {
  const { directory, settings } = environment.config;
  const key = `${settings.level.number} ${directory}`;
  let host = shared.get(key);
  if (host === undefined) {
    host = newHost(environment, 'auto');
    shared.set(key, host);
  }
  return host;
}

function newHost(environment: Environment, setting: string): RubyEnvironment {
  const { directory } = environment.config;
  const { allowsBuiltIn, commands } = rubyChoice(setting);
  return new RubyEnvironment({
    environment,
    commands,
    ...(allowsBuiltIn ? { images } : {}),
    interpreter,
    paths: { logicalDirectory: directory, physicalDirectory: directory },
  });
}

/** Ends the environment's Ruby. */
export function endRuby(environment: Environment): void {
  hosts.get(environment)?.close();
}
