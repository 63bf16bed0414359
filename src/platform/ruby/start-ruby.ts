/** Which Ruby there is to run code of modules. */

import { Ruby } from './ruby.ts';
import { RubyProcess, type RubyProcessOptions } from './ruby-process.ts';

/** @throws RubyMissing when there is none */
export function startRuby(options: RubyProcessOptions): Ruby {
  return new Ruby(new RubyProcess(options), options.timeoutSeconds);
}
