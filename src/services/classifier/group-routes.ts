/** Groups by their ids: `/classifier-api/v1/groups`. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import { type ClassifierAccess, editorOf, permitsOf, visibleGroup } from './access.ts';
import { GroupAnswerWire, GroupsWire, type ListedGroup, ListedGroupWire } from './answers/wire.ts';
import { maxBodyBytes } from './body-limit.ts';
import type { Classifier } from './classifier.ts';
import type { Group } from './group.ts';
import { maySee } from './group-rights.ts';
import { DeltaWire, decodeDelta, decodeGroup, GroupWire } from './group-wire.ts';
import { countIn, idOf } from './parameters.ts';
import { prefix } from './paths.ts';
import { type KnownClasses, Referents } from './referents.ts';
import { renderGroup, renderInherited } from './render.ts';

const one = `${prefix}/groups/:id`;

export function groupRoutes(
  classifier: Classifier,
  allow: ClassifierAccess,
  classes: KnownClasses | undefined,
): readonly Route[] {
  return [...readingRoutes(classifier, allow.viewSome, classes), ...changingRoutes(classifier, allow)];
}

function readingRoutes(
  classifier: Classifier,
  allow: Access,
  classes: KnownClasses | undefined,
): readonly Route[] {
  const render = async (groups: readonly Group[], query: URLSearchParams) => {
    const referents = classes === undefined ? undefined : await Referents.read(classes);
    const isShort = ['0', 'false', null].includes(query.get('inherited'));
    const { hierarchy } = classifier;
    return groups.map((group): ListedGroup => {
      const deleted = referents?.deleted(group);
      const rendered = isShort
        ? renderGroup(group)
        : renderInherited(group, hierarchy.inherited(group), hierarchy.fullRule(group));
      return deleted === undefined ? rendered : { ...rendered, deleted };
    });
  };
  return [
    route({
      method: 'GET',
      path: `${prefix}/groups`,
      allow,
      shapes: { answer: GroupsWire },
      handle: async ({ identity, query }) => {
        const { hierarchy } = classifier;
        const permits = permitsOf(identity);
        const seen = hierarchy.all().filter((group) => maySee(hierarchy, group, permits));
        return json(await render(page(seen, query), query));
      },
    }),
    route({
      method: 'GET',
      path: one,
      allow,
      shapes: { answer: ListedGroupWire },
      handle: async ({ identity, params, query }) => {
        const [rendered] = await render([visibleGroup(classifier, idOf(params), identity)], query);
        return json(rendered);
      },
    }),
  ];
}

function changingRoutes(
  classifier: Classifier,
  { modify: allow, servers }: ClassifierAccess,
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/groups`,
      allow,
      shapes: { body: GroupWire },
      maxBodyBytes,
      async handle({ body, identity }) {
        const { id: _id, ...definition } = decodeGroup(await body());
        const group = await classifier.create(definition, editorOf(identity, servers));
        return { status: 303, headers: { Location: `${prefix}/groups/${group.id}` } };
      },
    }),
    route({
      method: 'PUT',
      path: one,
      allow,
      shapes: { body: GroupWire, answer: GroupAnswerWire },
      maxBodyBytes,
      async handle({ body, identity, params }) {
        const { id, ...definition } = decodeGroup(await body());
        checkIds(id, idOf(params));
        const { group, isNew } = await classifier.replace(
          idOf(params),
          definition,
          editorOf(identity, servers),
        );
        return json(renderGroup(group), isNew ? 201 : 200);
      },
    }),
    route({
      method: 'POST',
      path: one,
      allow,
      shapes: { body: DeltaWire, answer: GroupAnswerWire },
      maxBodyBytes,
      async handle({ body, identity, params }) {
        const delta = decodeDelta(await body());
        checkIds(delta.id, idOf(params));
        return json(renderGroup(await classifier.update(idOf(params), delta, editorOf(identity, servers))));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      allow,
      async handle({ identity, params }) {
        await classifier.remove(idOf(params), editorOf(identity, servers));
        return { status: 204 };
      },
    }),
  ];
}

function checkIds(submitted: string | undefined, fromUrl: string): void {
  if (submitted === undefined || submitted === fromUrl) return;
  const message = `The submitted group has the id ${submitted}, and the URL names ${fromUrl}.`;
  throw new ServiceError('bad-request', message, {
    kind: 'conflicting-ids',
    details: { submitted, fromUrl },
  });
}

/** @throws ServiceError `bad-request` */
function page(groups: readonly Group[], query: URLSearchParams): readonly Group[] {
  const offset = countIn(query, 'offset') ?? 0;
  const limit = countIn(query, 'limit');
  return groups.slice(offset, limit === undefined ? undefined : offset + limit);
}
