/** Several groups changed in one step, and a preview of the nodes that the change would touch. */

import { Readable } from 'node:stream';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { json, type Route, route } from '../../platform/http/index.ts';
import { type ClassifierAccess, editorOf } from './access.ts';
import { ChangedGroupsWire, ChangePreviewWire } from './answers/wire.ts';
import { maxBodyBytes } from './body-limit.ts';
import type { Classifier } from './classifier.ts';
import { ChangesWire, decodeChanges } from './group-wire.ts';
import type { KnownNodes } from './known-nodes.ts';
import { prefix } from './paths.ts';
import { type Preview, previewNodes, refusalOf } from './preview.ts';
import { renderGroup } from './render.ts';

export function changeRoutes(
  classifier: Classifier,
  { modify, servers, view }: ClassifierAccess,
  nodes: KnownNodes,
): readonly Route[] {
  // A preview classifies all nodes twice: one at a time.
  const previews = new SerialQueue();
  return [
    route({
      method: 'POST',
      path: `${prefix}/commands/preview-groups`,
      allow: view,
      shapes: { body: ChangesWire, answer: ChangePreviewWire },
      maxBodyBytes,
      async handle({ body, identity, signal }) {
        const changes = decodeChanges(await body());
        return await previews.run(async () => {
          const before = classifier.hierarchy;
          const after = classifier.tryOutAll(changes);
          const refused = refusalOf(() => classifier.checkRights(after, editorOf(identity, servers)));
          const preview = await previewNodes(before, after, nodes, signal);
          return { status: 200, headers, body: Readable.from(renderPreview(preview, refused)) };
        });
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/commands/change-groups`,
      allow: modify,
      shapes: { body: ChangesWire, answer: ChangedGroupsWire },
      maxBodyBytes,
      async handle({ body, identity }) {
        const changed = await classifier.changeAll(decodeChanges(await body()), editorOf(identity, servers));
        return json({ groups: changed.map(renderGroup) });
      },
    }),
  ];
}

const headers = { 'content-type': 'application/json' };
/** Written in one turn of the event loop: a change may concern 50,000 nodes. */
const nodesAtOnce = 200;

function* renderPreview({ nodes, total }: Preview, refused: string | undefined): Generator<string> {
  yield `{"total":${total},"nodes":[`;
  for (let start = 0; start < nodes.length; start += nodesAtOnce) {
    const some = nodes.slice(start, start + nodesAtOnce).map((node) => JSON.stringify(node));
    yield `${start === 0 ? '' : ','}${some.join(',')}`;
  }
  yield refused === undefined ? ']}' : `],"refused":${JSON.stringify(refused)}}`;
}
