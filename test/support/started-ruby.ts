/** A Ruby with the limits that servers give it, for comparisons and measurements. */

import {
  DEFAULT_MEMORY_BYTES,
  type OwnRubyImages,
  type Ruby,
  shimDirectory,
  startRuby,
} from '../../src/platform/ruby/index.ts';

/** @param commands - none for the built-in one */
export function startedRuby(commands: readonly string[], images: OwnRubyImages): Ruby {
  return startRuby({
    commands,
    ...(commands.length === 0 ? { images } : {}),
    shim: shimDirectory(),
    libraries: [],
    timeoutSeconds: 30,
    memoryBytes: DEFAULT_MEMORY_BYTES,
  });
}
