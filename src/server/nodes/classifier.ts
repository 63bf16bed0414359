/** The node classifier, where `node_terminus` names it: its first group, and who is kept in that. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { operators } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  Classifier,
  ClassList,
  classifiedRoute,
  type GroupDefinition,
  GroupStore,
  isEntitled,
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
import type { CertificateIdentity, ServerGroups } from '../infrastructure/infrastructure-identity.ts';
import type { ServedPart } from '../served-part.ts';
import { workerFile } from '../worker-files.ts';

export interface Classification extends ServedPart {
  readonly classifier: Classifier;
  readonly nodes: NodeTerminus;
  /** Keeps compile servers in their group. */
  readonly members: MemberGroupsTerminus;
  /** Groups whose members have the rights of compile servers. */
  readonly servers: ServerGroups;
}

/** The name that guides of Puppet Enterprise use; a group of this name counts beside the setting's. */
const classicGroup = 'PE Master';

/** @returns `undefined` where others classify */
export async function openClassification(foundation: Foundation): Promise<Classification | undefined> {
  if (foundation.settings.nodeTerminus !== 'classifier') return undefined;
  const classifier = await openClassifier(foundation);
  return {
    classifier,
    nodes: new LocalClassifiedNodes(classifier),
    members: memberGroups(classifier, foundation),
    servers: new EntitlingGroups(classifier, serverGroupNames(foundation.settings)),
    routes: [classifiedRoute(classifier, { kind: 'any-of', of: [{ kind: 'infrastructure' }, operators] })],
  };
}

async function openClassifier({ database, log, settings }: Foundation): Promise<Classifier> {
  const { compileServerGroup } = settings;
  return await Classifier.open({
    store: new GroupStore(database),
    log: log.child({ service: 'classifier' }),
    now: () => new Date(),
    newId: randomUUID,
    serverGroups: serverGroupNames(settings),
    initial: compileServerGroup === '' ? [] : [groupOfCompileServers(compileServerGroup)],
  });
}

function serverGroupNames({ compileServerGroup }: Pick<Settings, 'compileServerGroup'>): ReadonlySet<string> {
  return new Set([compileServerGroup, classicGroup].filter((name) => name !== ''));
}

/** Asked with every request: what was found out about a certificate holds until the groups change. */
class EntitlingGroups implements ServerGroups {
  private readonly classifier: Classifier;
  private readonly names: ReadonlySet<string>;
  private hierarchy: Classifier['hierarchy'] | undefined;
  private readonly known = new Map<string, boolean>();

  constructor(classifier: Classifier, names: ReadonlySet<string>) {
    this.classifier = classifier;
    this.names = names;
  }

  entitles({ certname, extensions, serial }: CertificateIdentity): boolean {
    const { hierarchy } = this.classifier;
    if (hierarchy !== this.hierarchy) this.known.clear();
    this.hierarchy = hierarchy;
    const key = `${serial} ${certname}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const trusted = { authenticated: 'remote', certname, extensions };
    const found = isEntitled(hierarchy, this.names, { name: certname, trusted });
    this.known.set(key, found);
    return found;
  }
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
    configData: {},
  };
}

/** Keeps compile servers pinned to a group. When an operator has deleted it, no server is pinned. */
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
