/** The node classifier, where `node_terminus` names it, and who is kept in its groups. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { operators } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  type CheckInQueue,
  Classifier,
  ClassList,
  classifiedRoute,
  compilersName,
  formerCompilersName,
  GroupStore,
  hierarchyRoute,
  InfrastructureValues,
  isEntitled,
  LocalClassifiedNodes,
  mastersName,
  readClasses,
  receiveCheckInsRoute,
  type ServedManifests,
} from '../../services/classifier/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import type { ServedEnvironment } from '../../services/environments/index.ts';
import type { InstallationsTerminus, MemberGroupsTerminus } from '../../services/infrastructure/index.ts';
import type { Code } from '../code/code.ts';
import type { Foundation } from '../foundation.ts';
import type { ProvenServer, ServerGroups } from '../infrastructure/infrastructure-identity.ts';
import type { ServedPart } from '../served-part.ts';
import { workerFile } from '../worker-files.ts';
import { type NodeCheckIns, openCheckIns } from './check-ins.ts';

export interface Classification extends ServedPart {
  readonly classifier: Classifier;
  /** @param installations - says what Puppet runs make of nodes in groups of servers */
  readonly nodesWith: (installations: InstallationsTerminus) => NodeTerminus;
  /** Keeps compile servers in their group. */
  readonly members: MemberGroupsTerminus;
  /** Groups whose members have the rights of compile servers. */
  readonly servers: ServerGroups;
  /** What groups say of the primary's own settings. */
  readonly values: InfrastructureValues;
  readonly checkIns: NodeCheckIns;
  start(): void;
  /** Stores the last check-ins. */
  stop(): Promise<void>;
  /** Lets go of servers that wait for changes. */
  letGo(): void;
}

/** Whose parameters say, in groups of Puppet Enterprise, whether check-ins are stored, and how long. */
const consoleClass = 'puppet_enterprise::profile::console';

const ourServers = { kind: 'any-of', of: [{ kind: 'infrastructure' }, operators] } as const;

/** @returns `undefined` where others classify */
export async function openClassification(foundation: Foundation): Promise<Classification | undefined> {
  if (foundation.settings.nodeTerminus !== 'classifier') return undefined;
  const { settings } = foundation;
  const stopping = new AbortController();
  const checkIns: NodeCheckIns = openCheckIns(foundation, (parameter) =>
    values.find(consoleClass, parameter),
  );
  const classifier = await openClassifier(foundation, checkIns.queue);
  const values = new InfrastructureValues(() => classifier.hierarchy, {
    name: settings.certname,
    trusted: {},
  });
  const servers = new EntitlingGroups(classifier, serverGroupNames(settings), settings.certname);
  return {
    classifier,
    nodesWith: (installations) => new LocalClassifiedNodes(classifier, installations, checkIns.queue),
    members: memberGroups(classifier, servers, foundation),
    servers,
    routes: [
      classifiedRoute(classifier, ourServers),
      hierarchyRoute(classifier, ourServers, stopping.signal, checkIns.isStoring),
      receiveCheckInsRoute(checkIns.store, ourServers),
    ],
    values,
    checkIns,
    start: () => void checkIns.pruning.run(),
    stop: () => checkIns.stop(),
    letGo: () => stopping.abort(),
  };
}

async function openClassifier(
  { database, log, settings }: Foundation,
  checkIns: CheckInQueue,
): Promise<Classifier> {
  return await Classifier.open({
    checkIns,
    store: new GroupStore(database),
    log: log.child({ service: 'classifier' }),
    now: () => new Date(),
    newId: randomUUID,
    serverGroups: serverGroupNames(settings),
    primary: settings.certname,
  });
}

/** The names that guides of Puppet Enterprise use, and the setting's. */
function serverGroupNames({ compileServerGroup }: Pick<Settings, 'compileServerGroup'>): ReadonlySet<string> {
  return new Set([compileServerGroup, mastersName, compilersName].filter((name) => name !== ''));
}

/** Asked with every request: what was found out about a certificate holds until the groups change. */
class EntitlingGroups implements ServerGroups {
  private readonly classifier: Classifier;
  private readonly names: ReadonlySet<string>;
  private readonly primary: string;
  private hierarchy: Classifier['hierarchy'] | undefined;
  private readonly known = new Map<string, boolean>();

  constructor(classifier: Classifier, names: ReadonlySet<string>, primary: string) {
    this.classifier = classifier;
    this.names = names;
    this.primary = primary;
  }

  entitles({ certname, extensions, serial }: ProvenServer): boolean {
    // It is in these groups, and no compile server.
    if (certname === this.primary) return false;
    const { hierarchy } = this.classifier;
    if (hierarchy !== this.hierarchy) this.known.clear();
    this.hierarchy = hierarchy;
    const key = `${serial} ${certname}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.proves({ certname, extensions });
    this.known.set(key, found);
    return found;
  }

  proves({ certname, extensions }: Omit<ProvenServer, 'serial'>): boolean {
    const trusted = { authenticated: 'remote', certname, extensions };
    const { hierarchy } = this.classifier;
    return certname !== this.primary && isEntitled(hierarchy, this.names, { name: certname, trusted });
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

/** Keeps compile servers in a group. Does nothing when an operator has deleted the group. */
function memberGroups(
  classifier: Classifier,
  servers: ServerGroups,
  { log, settings: { compileServerGroup } }: Foundation,
): MemberGroupsTerminus {
  // The group that earlier versions had under this name is `PE Compiler` now, whose members are in `PE Master`.
  const name = compileServerGroup === formerCompilersName ? mastersName : compileServerGroup;
  return {
    async admit(identity) {
      if (name === '' || servers.entitles(identity)) return;
      const { certname } = identity;
      const group = classifier.hierarchy.all().find((each) => each.name === name);
      if (group !== undefined) await classifier.pin(group.id, [certname]);
      else log.warn({ group: name, certname }, 'there is no group to pin a compile server to');
    },
    async unpin(certname) {
      await classifier.unpinFromAll([certname]);
    },
  };
}
