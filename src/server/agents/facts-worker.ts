/** The thread that reads large facts. */

import { answerBodies } from '../../platform/threads/index.ts';
import { type LargeFactsQuestion, readLargeFacts } from '../../services/facts/index.ts';
import { storedFacts } from '../../services/puppetdb-terminus/index.ts';

answerBodies((question: LargeFactsQuestion) => readLargeFacts(question, (facts) => storedFacts(facts, true)));
