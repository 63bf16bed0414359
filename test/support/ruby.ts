/** Ruby for tests: one process for each environment, where there is a `ruby`. */

import type { Environment } from '../../src/language/environment/index.ts';
import type { RubyHost } from '../../src/language/evaluator/index.ts';
import { RubyEnvironment } from '../../src/services/compiler/ruby/index.ts';

const hosts = new WeakMap<Environment, RubyEnvironment>();

/** The host that runs the environment's Ruby code; it ends with this process. */
export function rubyOf(environment: Environment): RubyHost {
  let host = hosts.get(environment);
  if (host === undefined) {
    const { directory } = environment.config;
    host = new RubyEnvironment({
      environment,
      paths: { logicalDirectory: directory, physicalDirectory: directory },
    });
    hosts.set(environment, host);
  }
  return host;
}

/** Ends the environment's Ruby. */
export function endRuby(environment: Environment): void {
  hosts.get(environment)?.close();
}
