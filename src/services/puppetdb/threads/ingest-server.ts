/** The thread that writes: commands, garbage collection, migrations. */

import { type DirectDatabase, migrate } from '../../../platform/storage/index.ts';
import { CommandProcessor } from '../commands/command-processor.ts';
import { readOldSubmission, readSubmission, type Submission } from '../commands/submission.ts';
import { QueryError } from '../query/query-error.ts';
import { puppetDbMigrations } from '../schema.ts';
import { collectGarbage, deleteNode } from '../store/garbage.ts';
import type { CommandCall, CommandReply, WorkerReply, WorkerRequest } from './protocol.ts';
import type { WorkerServer } from './puppetdb-worker.ts';

export function createIngestServer(
  database: DirectDatabase,
  send: (reply: WorkerReply) => void,
): WorkerServer {
  const processor = new CommandProcessor({
    database,
    log: {
      info: (fields, message) => send({ kind: 'log', level: 'info', fields, message }),
      warn: (fields, message) => send({ kind: 'log', level: 'warn', fields, message }),
    },
  });
  return {
    handle(request: WorkerRequest): Promise<unknown> | undefined {
      switch (request.kind) {
        case 'command':
          return takeCommand(processor, request.call).finally(() => {
            // Its memory goes back at once: a collector sees but a small object, and waits.
            if (request.call.body.buffer instanceof ArrayBuffer) request.call.body.buffer.transfer(0);
          });
        case 'garbage':
          return collectGarbage(database, request.lifetimes, new Date(request.nowMs), request.request);
        case 'delete-node':
          return deleteNode(database, request.certname);
        case 'migrate':
          return migrate(database, puppetDbMigrations).then(({ length }) => length);
        default:
          return undefined;
      }
    },
    close: () => database.close(),
  };
}

async function takeCommand(
  processor: CommandProcessor,
  { uuid, search, body, received, onlyCertname }: CommandCall,
): Promise<CommandReply> {
  const parameters = new URLSearchParams(search);
  let submission: Submission;
  try {
    submission = readAny(parameters, Buffer.from(body.buffer, body.byteOffset, body.byteLength), uuid);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const message = JSON.stringify({ error: error.message });
    return { status: error.status, body: message, fields: {}, outcome: undefined };
  }
  const outcome = await processor.process(submission, received, onlyCertname);
  if (outcome === 'forbidden') {
    const error = `Permission denied: ${onlyCertname} may send commands of its own only`;
    return { status: 403, body: JSON.stringify({ error }), fields: {}, outcome: undefined };
  }
  if (outcome.kind === 'wanted') {
    const error = 'The resources and edges of this catalog are not known under this name: send them';
    return { status: 409, body: JSON.stringify({ error }), fields: {}, outcome };
  }
  // Carried out already: whoever wants to wait need not.
  const isWaiting = parameters.has('secondsToWaitForCompletion');
  const answer = isWaiting ? { uuid, processed: true, timed_out: false } : { uuid };
  const { command, version, certname } = submission;
  return { status: 200, body: JSON.stringify(answer), fields: { command, version, certname }, outcome };
}

function readAny(parameters: URLSearchParams, body: Buffer, uuid: string): Submission {
  return parameters.has('command') ? readSubmission(parameters, body, uuid) : readOldSubmission(body, uuid);
}
