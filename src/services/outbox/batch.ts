/** Several small commands in one request, which costs both sides more than what is in it. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';

export const batchPath = '/outbox/v1/batches';
/** Where large ones go, each by itself. */
export const commandPath = '/outbox/v1/commands';

/** A command as it travels. */
export interface SentCommand {
  /** Parameters of a URL: command, version, certname, producer-timestamp. */
  readonly search: string;
  /** JSON, UTF-8. */
  readonly body: Buffer;
}

/** What became of each command. */
export const BatchAnswerWire = z.array(
  z.object({
    /** As of a request for this command alone. */
    status: z.number(),
    body: z.string(),
  }),
);
export type CommandAnswer = z.infer<typeof BatchAnswerWire>[number];

/** A line of JSON with parameters and lengths, then the bodies one after the other. */
const HeadWire = z.array(z.tuple([z.string(), z.int().nonnegative()]));
const lineFeed = 0x0a;

export function encodeBatch(commands: readonly SentCommand[]): Buffer {
  const head = commands.map(({ body, search }) => [search, body.length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...commands.map(({ body }) => body)]);
}

/** @throws ServiceError `bad-request` when it is none */
export function decodeBatch(bytes: Buffer): readonly SentCommand[] {
  const headEnd = bytes.indexOf(lineFeed);
  const head = checkShape(HeadWire, parsed(bytes.toString('utf8', 0, Math.max(headEnd, 0))));
  if (!head.success) throw new ServiceError('bad-request', `The batch has no head: ${head.error.message}`);
  let end = headEnd + 1;
  const commands = head.data.map(([search, length]) => {
    const start = end;
    end += length;
    return { search, body: bytes.subarray(start, end) };
  });
  if (end !== bytes.length)
    throw new ServiceError('bad-request', 'The batch is not as long as its head says');
  return commands;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema says what is wrong
  }
}
