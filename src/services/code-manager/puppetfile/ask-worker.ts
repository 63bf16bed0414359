/** Runs a Puppetfile in a thread of its own. */

import { Worker } from 'node:worker_threads';
import { decodeContent, type PuppetfileContent } from './puppetfile-content.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';
import type { PuppetfileAnswer, PuppetfileQuestion } from './worker-protocol.ts';

const timeoutMs = 60_000;
/** Ruby code that calls deeply finds the end of Ruby's own stack before that of the thread. */
const stackMebibytes = 32;

/**
 * @throws NotUnderstood for what only real Ruby knows
 * @throws PuppetfileError for what is wrong in Ruby, too
 */
export async function askWorker(workerUrl: URL, question: PuppetfileQuestion): Promise<PuppetfileContent> {
  const worker = new Worker(workerUrl, {
    workerData: question,
    resourceLimits: { stackSizeMb: stackMebibytes },
  });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    const answer = await new Promise<PuppetfileAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new PuppetfileError('it takes too long')));
    });
    return contentOf(answer);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function contentOf(answer: PuppetfileAnswer): PuppetfileContent {
  switch (answer.kind) {
    case 'content':
      return decodeContent(answer.content);
    case 'not-understood':
      throw new NotUnderstood(answer.message, answer.offset);
    case 'mistake':
      throw new PuppetfileError(answer.message, answer.offset);
    default:
      return answer satisfies never;
  }
}
