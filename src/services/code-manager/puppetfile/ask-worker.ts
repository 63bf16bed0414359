/** Runs a Puppetfile in a thread of its own. */

import { runOnce } from '../../../platform/threads/index.ts';
import { decodeContent, type PuppetfileContent } from './puppetfile-content.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';
import type { PuppetfileAnswer, PuppetfileQuestion } from './worker-protocol.ts';

const timeoutMs = 60_000;
/** Ruby code that calls deeply finds the end of Ruby's own stack before that of the thread. */
const stackSizeMb = 32;

/**
 * @throws NotUnderstood for what only real Ruby knows
 * @throws PuppetfileError for what is wrong in Ruby, too
 */
export async function askWorker(workerUrl: URL, question: PuppetfileQuestion): Promise<PuppetfileContent> {
  const answer = await runOnce<PuppetfileAnswer>({
    workerUrl,
    name: 'puppetfile',
    data: question,
    signal: AbortSignal.timeout(timeoutMs),
    stackSizeMb,
    onEnded: () => new PuppetfileError('it takes too long'),
  });
  return contentOf(answer);
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
