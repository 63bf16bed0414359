/**
 * Nodes and events of a job as JSON, some at a time: 50,000 nodes, or results of many megabytes, must not keep other requests waiting.
 */

import type { Link } from '../../../platform/http/index.ts';
import type { JobNode, NodeKey, NodePage, StoredEvent } from '../job-store.ts';
import type { Job } from '../jobs/job.ts';
import type { Orchestrator } from '../orchestrator.ts';
import { pageOf } from './node-page.ts';
import { presentEvent, presentNext, presentNode } from './present.ts';

/** Limits of one turn of the event loop. */
const mostNodes = 200;
const mostCharacters = 256 * 1024;
const partBytes = 256 * 1024;

/** @throws ServiceError `unknown-job` before there is any text */
export async function renderNodes(
  orchestrator: Orchestrator,
  id: number,
  page: NodePage,
  link: Link,
): Promise<AsyncGenerator<string | Uint8Array>> {
  const { job, keys } = await orchestrator.nodes(id);
  const last = (await orchestrator.nodeStore.lastEventId(id)) ?? -1;
  const wanted = pageOf(keys, page);
  return renderList(presentNext(id, last, link), nodeItems(orchestrator, job, wanted));
}

/** @param first - those that were waited for @param start - what was asked for, where no event came */
export async function renderEvents(
  orchestrator: Orchestrator,
  id: number,
  { first, start }: { readonly first: readonly StoredEvent[]; readonly start: number },
  link: Link,
): Promise<AsyncGenerator<string | Uint8Array>> {
  const last = first.length === 0 ? start - 1 : ((await orchestrator.nodeStore.lastEventId(id)) ?? start - 1);
  return renderList(presentNext(id, last, link), eventItems(orchestrator, id, first, last));
}

/** An item is text, or parts of text. @param head - an object that gets the list as `items` */
async function* renderList(
  head: object,
  items: AsyncGenerator<readonly [string, ...(string | Uint8Array)[]]>,
): AsyncGenerator<string | Uint8Array> {
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let text = '';
  let isFirst = true;
  for await (const [beginning, ...others] of items) {
    text += isFirst ? beginning : `,${beginning}`;
    isFirst = false;
    if (others.length === 0 && text.length < mostCharacters) continue;
    yield text;
    yield* others;
    text = '';
  }
  yield `${text}]}`;
}

async function* nodeItems(
  orchestrator: Orchestrator,
  job: Job,
  keys: readonly NodeKey[],
): AsyncGenerator<readonly [string, ...(string | Uint8Array)[]]> {
  const { nodeStore } = orchestrator;
  for (const names of chunksOf(keys)) {
    const nodes = new Map((await nodeStore.read(job.id, names)).map((node) => [node.certname, node]));
    const latest = await nodeStore.latestEvents(job.id, names);
    for (const name of names) {
      const node = nodes.get(name);
      if (node === undefined) continue;
      const transport = orchestrator.transportOf(name);
      const shown = presentNode(node, job, { now: orchestrator.nowMs, transport }, latest.get(name));
      const text = JSON.stringify(shown);
      if (node.largeResultBytes === undefined) yield [text];
      else yield [`${text.slice(0, -1)},"result":`, ...(await resultParts(orchestrator, job.id, node)), '}'];
    }
  }
}

/** JSON that is passed on as it is stored. */
async function resultParts(
  { nodeStore }: Orchestrator,
  id: number,
  { certname }: JobNode,
): Promise<readonly (string | Uint8Array)[]> {
  const bytes = await nodeStore.largeResult(id, certname);
  if (bytes === undefined) return ['{}'];
  const count = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );
}

function* chunksOf(keys: readonly NodeKey[]): Generator<readonly string[]> {
  let names: string[] = [];
  let characters = 0;
  for (const { certname, outcomeLength } of keys) {
    names.push(certname);
    characters += outcomeLength;
    if (names.length < mostNodes && characters < mostCharacters) continue;
    yield names;
    names = [];
    characters = 0;
  }
  if (names.length > 0) yield names;
}

async function* eventItems(
  orchestrator: Orchestrator,
  id: number,
  first: readonly StoredEvent[],
  last: number,
): AsyncGenerator<readonly [string]> {
  for (let events = first; events.length > 0; ) {
    for (const event of events) if (event.id <= last) yield [JSON.stringify(presentEvent(event))];
    const next = (events.at(-1)?.id ?? last) + 1;
    if (next > last) return;
    events = await orchestrator.events(id, next);
  }
}
