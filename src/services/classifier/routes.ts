/** `/classifier-api/v1`, as Puppet Enterprise has it. */

import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import { type ClassifierAccess, editorOf, permitsOf, visibleGroup } from './access.ts';
import {
  type Explanation,
  ExplanationWire,
  type MemberCountsAnswer,
  MemberCountsWire,
  UnpinnedWire,
} from './answers/wire.ts';
import { maxBodyBytes } from './body-limit.ts';
import { changeRoutes } from './change-routes.ts';
import type { Classifier } from './classifier.ts';
import { classSources, explainMatches } from './classify.ts';
import type { Group } from './group.ts';
import { maySee } from './group-rights.ts';
import { groupRoutes } from './group-routes.ts';
import { decodeGroup, decodeHierarchy, GroupWire } from './group-wire.ts';
import type { Hierarchy } from './hierarchy.ts';
import { type KnownNodes, noKnownNodes, storedNode } from './known-nodes.ts';
import { MemberCounts } from './member-counts.ts';
import { decodeAsked, decodeNode, decodeNodes, NodesWire } from './node-wire.ts';
import { countIn, idOf } from './parameters.ts';
import { prefix } from './paths.ts';
import { type KnownClasses, Referents } from './referents.ts';
import {
  renderClassification,
  renderClassified,
  renderConflicts,
  renderGroup,
  renderShort,
  renderTriedOut,
} from './render.ts';
import { ruleRoutes } from './rule-routes.ts';

/**
 * @param classes - the classes of the served code; when absent, names that the code does not have are not reported
 * @param nodes - the nodes that PuppetDB has facts of
 */
export function classifierRoutes(
  classifier: Classifier,
  allow: ClassifierAccess,
  classes?: KnownClasses,
  nodes = noKnownNodes,
): readonly Route[] {
  return [
    ...groupRoutes(classifier, allow, classes),
    validateRoute(classifier, allow.view, classes),
    ...pinRoutes(classifier, allow),
    importRoute(classifier, allow),
    ...changeRoutes(classifier, allow, nodes),
    ...ruleRoutes(classifier, allow.view, nodes),
    memberCountsRoute(classifier, allow.viewSome, nodes),
    groupChildrenRoute(classifier, allow.viewSome),
    classifiedRoute(classifier, allow.view),
    shortClassifiedRoute(classifier, allow.view),
    explanationRoute(classifier, allow.view, nodes),
  ];
}

/** What a server asks that compiles catalogs. */
export function classifiedRoute(classifier: Classifier, allow: Access): Route {
  return route({
    method: 'POST',
    path: `${prefix}/classified/nodes/:certname`,
    allow,
    maxBodyBytes,
    handle: async ({ body, params, query }) => {
      const { node, transactionUuid } = decodeAsked(params['certname'] ?? '', await body());
      const steps = classifier.checkIn(node, transactionUuid);
      const classified = renderClassified(node.name, steps);
      // Our own servers ask for it: which group names a class that is missing, and data for lookups.
      if (query.get('class_sources') !== 'true') return json(classified);
      return json({
        ...classified,
        config_data: steps.final?.configData ?? {},
        class_sources: classSources(classifier.hierarchy, steps),
      });
    },
  });
}

/** Version 2 of the answer: groups with their names. */
function shortClassifiedRoute(classifier: Classifier, allow: Access): Route {
  return route({
    method: 'POST',
    path: '/classifier-api/v2/classified/nodes/:certname',
    allow,
    maxBodyBytes,
    handle: async ({ body, params }) => {
      const { node, transactionUuid } = decodeAsked(params['certname'] ?? '', await body());
      return json(renderShort(node.name, classifier.checkIn(node, transactionUuid)));
    },
  });
}

/** A group with what is below it, as deep as is asked. */
function groupChildrenRoute(classifier: Classifier, allow: Access): Route {
  return route({
    method: 'GET',
    path: `${prefix}/group-children/:id`,
    allow,
    handle: ({ identity, params, query }) => {
      const depth = countIn(query, 'depth') ?? Number.POSITIVE_INFINITY;
      const group = visibleGroup(classifier, idOf(params), identity);
      return json([renderTree(group, classifier.hierarchy, depth)]);
    },
  });
}

function renderTree(group: Group, hierarchy: Hierarchy, depth: number): object {
  const children = hierarchy.childrenOf(group.id);
  return {
    ...renderGroup(group),
    children: depth === 0 ? [] : children.map((child) => renderTree(child, hierarchy, depth - 1)),
    immediate_child_count: children.length,
  };
}

/** Says of a group whether it would be accepted, and whether the code has what it names. */
function validateRoute(classifier: Classifier, allow: Access, classes: KnownClasses | undefined): Route {
  return route({
    method: 'POST',
    path: `${prefix}/validate/group`,
    allow,
    shapes: { body: GroupWire },
    maxBodyBytes,
    async handle({ body }) {
      const { id, ...definition } = decodeGroup(await body());
      const { group, hierarchy } = classifier.tryOut(id, definition);
      if (classes !== undefined) (await Referents.read(classes)).check(hierarchy, group);
      return json(renderTriedOut(group, id));
    },
  });
}

function pinRoutes(classifier: Classifier, { modify: allow, servers }: ClassifierAccess): readonly Route[] {
  const changing = (verb: 'pin' | 'unpin') =>
    route({
      method: 'POST',
      path: `${prefix}/groups/:id/${verb}`,
      allow,
      maxBodyBytes,
      async handle({ body, identity, params, query }) {
        const names = decodeNodes(query, await body());
        await classifier[verb](idOf(params), names, editorOf(identity, servers));
        return { status: 204 };
      },
    });
  return [
    changing('pin'),
    changing('unpin'),
    route({
      method: 'POST',
      path: `${prefix}/commands/unpin-from-all`,
      allow,
      shapes: { body: NodesWire, answer: UnpinnedWire },
      maxBodyBytes,
      async handle({ body, identity, query }) {
        const names = decodeNodes(query, await body());
        const unpinned = await classifier.unpinFromAll(names, editorOf(identity, servers));
        const nodes = unpinned.map(({ groups, name }) => ({
          name,
          groups: groups.map(({ environment, id, name: group }) => ({ id, name: group, environment })),
        }));
        return json({ nodes });
      },
    }),
  ];
}

/** What another classifier gave, as a list of groups. */
function importRoute(classifier: Classifier, { modify: allow, servers }: ClassifierAccess): Route {
  return route({
    method: 'POST',
    path: `${prefix}/import-hierarchy`,
    allow,
    maxBodyBytes,
    async handle({ body, identity }) {
      await classifier.replaceAll(decodeHierarchy(await body()), editorOf(identity, servers));
      return { status: 204 };
    },
  });
}

/** How many nodes match each group that the user may see. */
function memberCountsRoute(classifier: Classifier, allow: Access, nodes: KnownNodes): Route {
  const counts = new MemberCounts(nodes, { now: () => new Date(), steadyMs: () => performance.now() });
  return route({
    method: 'GET',
    path: `${prefix}/member-counts`,
    allow,
    shapes: { answer: MemberCountsWire },
    handle: async ({ identity, signal }) => {
      const { hierarchy } = classifier;
      const { asOf, groups, total } = await counts.find(hierarchy, signal);
      const permits = permitsOf(identity);
      const seen = hierarchy.all().filter((group) => maySee(hierarchy, group, permits));
      return json({
        as_of: asOf.toISOString(),
        total,
        groups: Object.fromEntries(seen.map(({ id }) => [id, groups.get(id) ?? 0])),
      } satisfies MemberCountsAnswer);
    },
  });
}

/** Each step of a classification; with `?facts=stored`, of the node as PuppetDB knows it. */
function explanationRoute(classifier: Classifier, allow: Access, nodes: KnownNodes): Route {
  return route({
    method: 'POST',
    path: `${prefix}/classified/nodes/:certname/explanation`,
    allow,
    shapes: { answer: ExplanationWire },
    maxBodyBytes,
    handle: async ({ body, params, query, signal }) => {
      const name = params['certname'] ?? '';
      const isStored = query.get('facts') === 'stored';
      const node = isStored ? await storedNode(nodes, name, signal) : decodeNode(name, await body());
      const { conflicts, final, leaves } = classifier.classify(node);
      const byLeaf = <T>(render: (leaf: (typeof leaves)[number]) => T) =>
        Object.fromEntries(leaves.map((leaf) => [leaf.group.id, render(leaf)]));
      return json({
        node_as_received: node,
        match_explanations: explainMatches(classifier.hierarchy, node),
        leaf_groups: byLeaf(({ group }) => renderGroup(group)),
        inherited_classifications: byLeaf(({ inherited }) => renderClassification(inherited)),
        ...(conflicts === undefined ? {} : { conflicts: renderConflicts(conflicts) }),
        ...(final === undefined ? {} : { final_classification: renderClassification(final) }),
      } satisfies Explanation);
    },
  });
}
