/** Ruby in a process of its own. What values and calls mean is not known here. */

export { RubyDied, RubyError, RubyMissing } from './ruby-errors.ts';
export {
  DEFAULT_COMMANDS,
  type RubyIdentity,
  type RubyOptions,
  type RubyPeer,
  RubyProcess,
} from './ruby-process.ts';
export { shimDirectory } from './shim-directory.ts';
