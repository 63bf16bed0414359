/** The thread that reads large answers of agents. */

import { serveRequests } from '../../platform/threads/index.ts';
import { type AnswerQuestion, readAnswer } from './read-answer.ts';

serveRequests<AnswerQuestion>({
  take(incoming) {
    try {
      incoming.reply(readAnswer(incoming.request));
    } catch (error) {
      incoming.refuse(error);
    }
  },
});
