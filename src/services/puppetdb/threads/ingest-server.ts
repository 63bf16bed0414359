/** The thread that writes: commands, garbage collection, migrations. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type DirectDatabase, migrate } from '../../../platform/storage/index.ts';
import { CommandProcessor } from '../commands/command-processor.ts';
import { readOldForm } from '../commands/submission.ts';
import { puppetDbMigrations } from '../schema.ts';
import { collectGarbage, deleteNode } from '../store/garbage.ts';
import type { CommandReceipt, CommandTransfer, WorkerReply, WorkerRequest } from './protocol.ts';
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
        case 'submit':
          return carryOut(processor, request.command).finally(() => {
            const { buffer } = request.command.body;
            // Its memory goes back at once: a collector sees but a small object, and waits.
            if (buffer instanceof ArrayBuffer) buffer.transfer(0);
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

async function carryOut(
  processor: CommandProcessor,
  { body, head, id, onlyCertname, received }: CommandTransfer,
): Promise<CommandReceipt> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const submission = { id, ...(head === undefined ? readOldForm(bytes) : { ...head, payload: bytes }) };
  const outcome = await processor.process(submission, received, onlyCertname);
  if (outcome === 'forbidden') {
    const message = `Permission denied: ${onlyCertname} may send commands of its own only`;
    throw new ServiceError('forbidden', message);
  }
  const { command, version, certname } = submission;
  return { id, command, version, certname, outcome };
}
