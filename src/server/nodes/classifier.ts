/** The node classifier, where `node_terminus` names it: its first group, and who is kept in that. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  Classifier,
  ClassList,
  classifiedRoute,
  type GroupDefinition,
  GroupStore,
  LocalClassifiedNodes,
  readClasses,
  rootId,
  type ServedManifests,
} from '../../services/classifier/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import type { ServedEnvironment } from '../../services/environments/index.ts';
import type { MemberGroupsTerminus } from '../../services/infrastructure/index.ts';
import type { Code } from '../code/code.ts';
import type { Foundation } from '../foundation.ts';
import type { ServedPart } from '../served-part.ts';
import { workerFile } from '../worker-files.ts';

export interface Classification extends ServedPart {
  readonly classifier: Classifier;
  readonly nodes: NodeTerminus;
  /** Keeps compile servers in their group. */
  readonly members: MemberGroupsTerminus;
}

/** @returns `undefined` where others classify */
export async function openClassification(foundation: Foundation): Promise<Classification | undefined> {
  if (foundation.settings.nodeTerminus !== 'classifier') return undefined;
  const classifier = await openClassifier(foundation);
  return {
    classifier,
    nodes: new LocalClassifiedNodes(classifier),
    members: memberGroups(classifier, foundation),
    routes: [classifiedRoute(classifier, { kind: 'infrastructure' })],
  };
}

async function openClassifier({ database, log, settings }: Foundation): Promise<Classifier> {
  const { compileServerGroup } = settings;
  return await Classifier.open({
    store: new GroupStore(database),
    log: log.child({ service: 'classifier' }),
    now: () => new Date(),
    newId: randomUUID,
    initial: compileServerGroup === '' ? [] : [groupOfCompileServers(compileServerGroup)],
  });
}

/** The classes of the environments that are served here. */
export function classList({ log }: Foundation, code: Pick<Code, 'live'>): ClassList {
  const workerUrl = workerFile('class-worker');
  return new ClassList({
    live: () => code.live().map(manifestsOf),
    read: (places) => readClasses(places, workerUrl),
    log: log.child({ service: 'classifier' }),
    now: () => new Date(),
  });
}

/** Of modules of the same name the first is loaded; what the main manifest says comes after all of them. */
function manifestsOf({ config, directory, modules }: ServedEnvironment): ServedManifests {
  const { directory: logical, manifest, name } = config;
  const main = manifest.startsWith(`${logical}/`) ? [join(directory, manifest.slice(logical.length))] : [];
  return {
    environment: name,
    version: directory,
    places: [...modules.map((module) => join(module.directory, 'manifests')), ...main],
  };
}

/** Those with the role that only the authority gives; others are pinned when they join. */
function groupOfCompileServers(name: string): GroupDefinition {
  return {
    name,
    description:
      'Servers that compile catalogs. They are pinned when they join, and unpinned when they leave.',
    parent: rootId,
    rule: ['or', ['=', ['trusted', 'extensions', 'pp_auth_role'], 'pe_compiler']],
    environment: 'production',
    environmentTrumps: false,
    classes: {},
    variables: {},
  };
}

/** Keeps compile servers pinned to a group. Where an operator has deleted it, nobody is. */
function memberGroups(
  classifier: Classifier,
  { log, settings: { compileServerGroup: name } }: Foundation,
): MemberGroupsTerminus {
  const find = () => classifier.hierarchy.all().find((group) => group.name === name);
  return {
    async pin(certnames) {
      const group = find();
      if (group !== undefined) await classifier.pin(group.id, certnames);
      else if (name !== '' && certnames.length > 0)
        log.warn({ group: name, certnames }, 'there is no group to pin compile servers to');
    },
    async unpin(certname) {
      await classifier.unpinFromAll([certname]);
    },
  };
}
