/** Large answers of agents, which a thread reads. It starts with the first one, and ends when there has been none for a while. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import { RequestThread } from '../../platform/threads/index.ts';
import type { LargeMessageReader } from '../../services/broker/index.ts';
import type { AgentLink, AgentListener, AgentMessage } from '../../services/orchestrator/index.ts';
import { workerFile } from '../worker-files.ts';
import type { AnswerQuestion, ReadAnswer } from './read-answer.ts';

const idleMs = 30_000;
/** Shorter output of a node that is reached by SSH is read at once, in characters. */
const largeOutput = 256 * 1024;

export class LargeAnswers implements LargeMessageReader {
  private readonly thread: RequestThread<AnswerQuestion>;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    const lost = (cause: Error | undefined): ServiceError =>
      new ServiceError(
        'unavailable',
        'The thread that reads large answers of agents ended before it had read one',
        {
          cause,
        },
      );
    this.thread = new RequestThread({
      start: () => new Worker(workerFile('answers-worker'), { name: 'answers' }),
      lost,
      closed: () => lost(undefined),
    });
  }

  async read(message: Uint8Array): Promise<ReadAnswer | undefined> {
    const { buffer } = message;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === message.byteLength;
    return await this.ask({ kind: 'message', bytes: message }, isWhole ? [buffer] : []);
  }

  /** The same link, whose listeners are told of large answers when these have been read. */
  of(link: AgentLink): AgentLink {
    const listenTo = (listener: AgentListener): AgentListener => ({
      connected: (...told) => listener.connected(...told),
      lost: (...told) => listener.lost(...told),
      message: (certname, message) => {
        if (isLarge(message)) void this.readFirst(certname, message, listener);
        else listener.message(certname, message);
      },
    });
    return {
      connection: (...asked) => link.connection(...asked),
      connections: () => link.connections(),
      expectedUntil: (...asked) => link.expectedUntil(...asked),
      send: (...sent) => link.send(...sent),
      listen: (listener) => link.listen(listenTo(listener)),
    };
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.thread.stop();
  }

  /** Never rejects: where the thread has died, the answer is read here. */
  private async readFirst(certname: string, message: AgentMessage, listener: AgentListener): Promise<void> {
    const found = await this.ask({ kind: 'answer', certname, message }, []).catch(() => undefined);
    listener.message(certname, found?.message ?? message);
  }

  private async ask(
    question: AnswerQuestion,
    transferred: readonly ArrayBuffer[],
  ): Promise<ReadAnswer | undefined> {
    clearTimeout(this.timer);
    try {
      return (await this.thread.ask(question, transferred)) as ReadAnswer | undefined;
    } finally {
      if (this.thread.load === 0) this.timer = setTimeout(() => void this.thread.abandon(), idleMs).unref();
    }
  }
}

function isLarge({ data }: AgentMessage): boolean {
  if (typeof data !== 'object' || data === null || !('results' in data)) return false;
  const { results } = data;
  if (typeof results !== 'object' || results === null) return false;
  return Object.values(results).some((value) => typeof value === 'string' && value.length > largeOutput);
}
