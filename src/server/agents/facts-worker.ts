/** The thread that reads large facts. */

import { parentPort } from 'node:worker_threads';
import { answerBodies } from '../../platform/threads/index.ts';
import { type LargeFactsQuestion, readLargeFacts } from '../../services/facts/index.ts';
import { storedFacts } from '../../services/puppetdb-terminus/index.ts';

if (parentPort !== null)
  answerBodies(parentPort, (question: LargeFactsQuestion) =>
    readLargeFacts(question, (facts) => storedFacts(facts, true)),
  );
