/** One message to its destination: of a catalog first the name of its content, which mostly does. */

import type { Content, Destination, Message } from './message.ts';

/** Where contents are kept. */
export interface ContentTerminus {
  content(certname: string, id: string): Promise<Content | undefined>;
}

/**
 * Durable when it resolves.
 *
 * @returns false when the content is wanted, and is not there: a newer one has taken its place
 * @throws as the destination does
 */
export async function deliver(
  message: Message,
  contents: ContentTerminus,
  destination: Destination,
  signal: AbortSignal,
): Promise<boolean> {
  const { certname, contentId } = message;
  if ((await destination.send(message, undefined, signal)) === 'taken') return true;
  const content = contentId === undefined ? undefined : await contents.content(certname, contentId);
  if (content === undefined) return false;
  return (await destination.send(message, content, signal)) === 'taken';
}
