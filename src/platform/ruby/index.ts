/** Ruby beside a thread of ours. What values and calls mean is not known here. */

export { Ruby, type RubyIdentity, type RubyPeer } from './ruby.ts';
export { RubyDied, RubyError, RubyMissing } from './ruby-errors.ts';
export { DEFAULT_COMMANDS, DEFAULT_MEMORY_BYTES, DEFAULT_TIMEOUT_SECONDS, killRuby } from './ruby-process.ts';
export { shimDirectory } from './shim-directory.ts';
export { type RubyOptions, rubyChoice, startRuby } from './start-ruby.ts';
export { ImageMaker, RequestedImages } from './wasm/image-maker.ts';
export { OwnRubyImages, type RubyImages } from './wasm/ruby-images.ts';
export { PROGRAM_OUTPUT, runBuiltInRuby } from './wasm/run-program.ts';
