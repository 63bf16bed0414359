/** The Rubies of one compile worker, as the main thread knows them. */

import type { Logger } from '../../../platform/log/index.ts';
import { killRuby, type RubyIdentity } from '../../../platform/ruby/index.ts';
import type { FromWorker } from '../worker-protocol.ts';

export type RubyMessage = Extract<FromWorker, { kind: 'ruby-started' | 'ruby-ended' }>;

/**
 * A worker that waits for Ruby hears nothing else, so ending it begins with its Ruby. Ruby watches itself, too; this
 * is for one that is beyond that.
 */
export class RubyWatch {
  private readonly log: Logger;
  private readonly running = new Map<string, RubyIdentity>();

  constructor(log: Logger) {
    this.log = log;
  }

  get count(): number {
    return this.running.size;
  }

  handle(message: RubyMessage): void {
    const { environment, ruby } = message;
    const { id, layer, version } = ruby;
    if (message.kind === 'ruby-started') {
      this.running.set(id, ruby);
      this.log.info({ environment, ruby: id, layer, rubyVersion: version }, 'started Ruby');
    } else {
      this.running.delete(id);
      this.log.debug({ environment, ruby: id, layer }, 'ended Ruby');
    }
  }

  endAll(): void {
    for (const { pid } of this.running.values()) {
      // One that runs in a thread ends with its worker.
      if (pid !== undefined) killRuby(pid);
    }
    this.running.clear();
  }
}

export function isRubyMessage(message: FromWorker): message is RubyMessage {
  return message.kind === 'ruby-started' || message.kind === 'ruby-ended';
}
