/** The primary's end of the outboxes. */

import { type Route, route } from '../../platform/http/index.ts';
import { batchPath, type CommandAnswer, commandPath, decodeBatch, type SentCommand } from './batch.ts';

/** Who carries out what arrives. */
export interface CommandTerminus {
  /**
   * Durable when it resolves.
   *
   * @param search - of the URL: command, version, certname, producer-timestamp
   * @returns a status (200, or 409 when the content of a catalog is wanted) and JSON
   * @throws ServiceError `unavailable` when the sender must try again
   */
  takeCommand(search: string, body: Uint8Array): Promise<{ readonly status: number; readonly body: string }>;
}

/** A report of a large node with all its logs. */
const maxMessageBytes = 128 * 1024 * 1024;

export function outboxRoutes(commands: CommandTerminus): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: commandPath,
      allow: { kind: 'infrastructure' },
      maxBodyBytes: maxMessageBytes,
      handle: async (request) => {
        const { body, status } = await commands.takeCommand(request.query.toString(), await request.body());
        if (status === 200) return { status: 204 };
        return { status, headers: { 'content-type': 'application/json' }, body };
      },
    }),
    route({
      method: 'POST',
      path: batchPath,
      allow: { kind: 'infrastructure' },
      maxBodyBytes: maxMessageBytes,
      handle: async (request) => {
        const answers = await takeAll(commands, decodeBatch(await request.body()));
        const headers = { 'content-type': 'application/json' };
        return { status: 200, headers, body: JSON.stringify(answers) };
      },
    }),
  ];
}

/** Side by side: they share a sync. @throws the first failure, when all have ended: the sender tries all again */
async function takeAll(
  terminus: CommandTerminus,
  commands: readonly SentCommand[],
): Promise<readonly CommandAnswer[]> {
  const taken = commands.map(({ body, search }) => terminus.takeCommand(search, body));
  const outcomes = await Promise.allSettled(taken);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    const { body, status } = outcome.value;
    return { status, body: status === 200 ? '' : body };
  });
}
