/** The thread that writes: commands, garbage collection, migrations. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type DirectDatabase, migrate } from '../../../platform/storage/index.ts';
import { notify } from '../../../platform/threads/index.ts';
import type { CommandReceipt } from '../commands/command-outcome.ts';
import { CommandProcessor } from '../commands/command-processor.ts';
import { readOldForm } from '../http/command-forms.ts';
import { puppetDbMigrations } from '../schema.ts';
import { collectGarbage, deleteNode } from '../store/garbage.ts';
import type { CommandTransfer, LogNotice, WriteRequest } from './protocol.ts';

export function createIngestServer(database: DirectDatabase): (request: WriteRequest) => Promise<unknown> {
  const tell = (notice: LogNotice): void => notify(notice);
  const processor = new CommandProcessor({
    database,
    log: {
      info: (fields, message) => tell({ level: 'info', fields, message }),
      warn: (fields, message) => tell({ level: 'warn', fields, message }),
    },
  });
  return async (request) => {
    switch (request.kind) {
      case 'submit':
        return await carryOut(processor, request.command).finally(() => {
          const { buffer } = request.command.body;
          // Its memory goes back at once: a collector sees but a small object, and waits.
          if (buffer instanceof ArrayBuffer) buffer.transfer(0);
        });
      case 'garbage':
        return await collectGarbage(database, request.lifetimes, new Date(request.nowMs), request.request);
      case 'delete-node':
        return await deleteNode(database, request.certname);
      case 'migrate':
        return (await migrate(database, puppetDbMigrations)).length;
      default:
        return request satisfies never;
    }
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
