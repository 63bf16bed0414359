/** What travels: commands for PuppetDB. */

export interface Message {
  /** `replace_facts` */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** ISO 8601, UTC, milliseconds: decides which of two is newer. */
  readonly producerTimestamp: string;
  /** JSON; of a catalog without its resources and edges. */
  readonly payload: string;
  /** The payload in parts, as UTF-8; only of large facts. */
  readonly utf8?: readonly Uint8Array[];
  /** Names the resources and edges of a catalog; absent of everything else. */
  readonly contentId?: string;
}

/** The resources and edges of a catalog, which are large and seldom change. */
export interface Content {
  readonly id: string;
  /** `"resources":[...],"edges":[...]` */
  readonly text: string;
}

/** Where messages are delivered to. */
export interface Destination {
  /** Nodes whose messages may be on their way at the same time. */
  readonly nodesAtOnce: number;
  /**
   * Durable when it resolves.
   *
   * @param content - of a catalog; absent when its name may do
   * @returns `content-wanted` when the name does not do
   * @throws ServiceError `bad-request` when it will never be taken; with everything else it is sent again
   */
  send(
    message: Message,
    content: Content | undefined,
    signal: AbortSignal,
  ): Promise<'taken' | 'content-wanted'>;
}

const replaceCatalog = 'replace_catalog';
/** In a text of JSON a comma that is followed by a quote stands outside of texts; of a catalog the name comes first. */
const contentName = /,"content_id":"[^"]*"/;

/** The whole payload as servers of ours send it to each other. */
export function namedPayload({ contentId, payload }: Message, content: Content | undefined): string {
  if (contentId === undefined) return payload;
  const named = `${payload.slice(0, -1)},"content_id":${JSON.stringify(contentId)}`;
  return content === undefined ? `${named}}` : `${named},${content.text}}`;
}

/**
 * The payload as any PuppetDB takes it.
 *
 * @param payload - of `namedPayload`
 * @returns `undefined` when it only names the content of a catalog
 */
export function unnamedPayload(command: string, payload: string): string | undefined {
  if (command !== replaceCatalog || !contentName.test(payload)) return payload;
  return payload.includes('"resources":[') ? payload.replace(contentName, '') : undefined;
}
