/** The Ruby processes of one compile worker, as the main thread knows them. */

import type { Logger } from '../../platform/log/index.ts';
import type { FromWorker } from './worker-protocol.ts';

export type RubyMessage = Extract<FromWorker, { kind: 'ruby-started' | 'ruby-ended' }>;

/**
 * A worker that waits for Ruby hears nothing else, so ending it begins with its Ruby. Ruby watches itself, too; this
 * is for one that is beyond that.
 */
export class RubyWatch {
  private readonly log: Logger;
  private readonly pids = new Set<number>();

  constructor(log: Logger) {
    this.log = log;
  }

  get count(): number {
    return this.pids.size;
  }

  handle(message: RubyMessage): void {
    const { environment, pid } = message;
    if (message.kind === 'ruby-started') {
      this.pids.add(pid);
      this.log.info({ environment, pid, rubyVersion: message.version }, 'started Ruby');
    } else {
      this.pids.delete(pid);
      this.log.debug({ environment, pid }, 'ended Ruby');
    }
  }

  endAll(): void {
    for (const pid of this.pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    this.pids.clear();
  }
}

export function isRubyMessage(message: FromWorker): message is RubyMessage {
  return message.kind === 'ruby-started' || message.kind === 'ruby-ended';
}
