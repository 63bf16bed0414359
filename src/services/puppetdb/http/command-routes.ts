/** `/pdb/cmd/v1`: takes commands; the answer comes when they are durable. */

import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import type { CommandProcessor } from '../commands/command-processor.ts';
import { readOldSubmission, readSubmission, type Submission } from '../commands/submission.ts';
import { QueryError } from '../query/query-error.ts';
import { errorJson, jsonAnswer, textAnswer } from './text-answer.ts';

/** Reports of first runs of large nodes. */
const maxBodyBytes = 128 * 1024 * 1024;

export function commandRoutes(
  processor: CommandProcessor,
  allow: Access,
  newId: () => string,
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/pdb/cmd/v1',
      allow,
      maxBodyBytes,
      handle: (request) => submit(processor, request, newId()),
    }),
  ];
}

async function submit(processor: CommandProcessor, request: HttpRequest, id: string): Promise<HttpResponse> {
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? '';
  if (type.toLowerCase() !== 'application/json') return textAnswer(`content type ${type} not supported`, 415);
  const body = (await request.body()).toString('utf8');
  let submission: Submission;
  try {
    submission = request.query.has('command')
      ? readSubmission(request.query, body, id)
      : readOldSubmission(body, id);
  } catch (error) {
    if (error instanceof QueryError) return errorJson(error.message, error.status);
    throw error;
  }
  await processor.process(submission);
  // Carried out already: whoever wants to wait need not.
  const isWaiting = request.query.has('secondsToWaitForCompletion');
  const outcome = isWaiting ? { uuid: id, processed: true, timed_out: false } : { uuid: id };
  const { command, version, certname } = submission;
  return {
    ...jsonAnswer(JSON.stringify(outcome)),
    logged: { message: 'received command', fields: { command, version, certname } },
  };
}
