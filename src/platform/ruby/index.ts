/** Ruby beside a thread of ours. What values and calls mean is not known here. */

export { Ruby, type RubyIdentity, type RubyPeer } from './ruby.ts';
export { RubyDied, RubyError, RubyMissing } from './ruby-errors.ts';
export { DEFAULT_COMMANDS, type RubyProcessOptions as RubyOptions } from './ruby-process.ts';
export { shimDirectory } from './shim-directory.ts';
export { startRuby } from './start-ruby.ts';
