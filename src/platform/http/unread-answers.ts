/** Answers that clients do not take. */

import type { ServerResponse } from 'node:http';

/** Within each period at least so many bytes must move, or all that is left: 1 kB/s for the usual 30 s. */
export const minBytesPerPeriod = 32 * 1024;

interface Progress {
  /** What the system had been handed for the connection when the period began. */
  takenBytes: number;
  sinceMs: number;
}

export interface UnreadAnswersOptions {
  /** After which a connection is ended whose client has taken less than it must. */
  readonly periodMs: number;
  readonly onUnread: (reply: ServerResponse) => void;
}

/**
 * Looks at all answers every few seconds rather than at each piece. Time in which the server itself has nothing to send does not
 * count.
 */
export class UnreadAnswers {
  private readonly options: UnreadAnswersOptions;
  private readonly answers = new Map<ServerResponse, Progress>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: UnreadAnswersOptions) {
    this.options = options;
  }

  /** To be called when a request has come; ends by itself when it has been answered. */
  watch(reply: ServerResponse): void {
    this.answers.set(reply, { takenBytes: 0, sinceMs: performance.now() });
    reply.once('close', () => {
      this.answers.delete(reply);
      if (this.answers.size === 0) this.stop();
    });
    this.timer ??= setInterval(() => this.look(), this.options.periodMs / 6).unref();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    const nowMs = performance.now();
    for (const [reply, progress] of this.answers) {
      const { socket } = reply;
      const waitingBytes = socket?.writableLength ?? 0;
      const takenBytes = (socket?.bytesWritten ?? 0) - waitingBytes;
      if (waitingBytes === 0 || takenBytes >= progress.takenBytes + minBytesPerPeriod) {
        progress.takenBytes = takenBytes;
        progress.sinceMs = nowMs;
      } else if (nowMs - progress.sinceMs >= this.options.periodMs) {
        this.options.onUnread(reply);
        reply.destroy();
      }
    }
  }
}
