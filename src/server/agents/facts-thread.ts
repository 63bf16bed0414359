/** Starts the thread that reads large facts. */

import { Worker } from 'node:worker_threads';
import { BodyThread } from '../../platform/threads/index.ts';
import type { LargeFactsAnswer, LargeFactsQuestion } from '../../services/facts/index.ts';
import { workerFile } from '../worker-files.ts';

export function factsThread(): BodyThread<LargeFactsQuestion, LargeFactsAnswer> {
  return new BodyThread<LargeFactsQuestion, LargeFactsAnswer>({
    create: () => new Worker(workerFile('facts-worker'), { name: 'facts' }),
    what: 'sets of facts',
  });
}
