/** What lets programs in Ruby begin in two thirds of the processor time; what they do is the same. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const kept = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ruby');

/** Of a process that is Ruby. */
export function quickRuby(): Readonly<Record<string, string>> {
  mkdirSync(kept, { recursive: true });
  return {
    KEPT_INSTRUCTIONS: kept,
    RUBYLIB: join(import.meta.dirname, 'quick-ruby'),
    RUBYOPT: '-rkept_instructions',
    // As many objects as an agent has in the end: its heap need not grow, and be searched each time it does.
    RUBY_GC_HEAP_INIT_SLOTS: '600000',
  };
}
