/** Who classifies nodes on a compile server: a copy of the primary's groups, or what asks elsewhere, with a memory. */

import { join } from 'node:path';
import { puppetExtensions } from '../../platform/x509/index.ts';
import {
  CheckInQueue,
  type CompileServersTerminus,
  type GroupsCopy,
  HierarchyFollower,
  InfrastructureValues,
  LocalClassifiedNodes,
  RemoteClassifiedNodes,
  sendCheckIns,
} from '../../services/classifier/index.ts';
import type {
  Node,
  NodeRequest,
  NodeTerminus,
  TrustedExternalTerminus,
} from '../../services/compiler/index.ts';
import { RemoteInstallations } from '../../services/infrastructure/index.ts';
import { readOwnCertificate } from '../../services/node-certificate/index.ts';
import { plainNodes, RememberedNodes } from '../../services/nodes/index.ts';
import type { AgentTermini } from '../agents/agent-services.ts';
import type { Foundation } from '../foundation.ts';
import type { PrimaryLink } from '../infrastructure/primary-link.ts';

const checkInsMs = 2000;

type ExternalFacts = Awaited<ReturnType<TrustedExternalTerminus['find']>>;

/** The copy of the primary's groups; `undefined` where others classify. */
export async function followGroups(
  { log, settings }: Foundation,
  { client, primaryUrl }: PrimaryLink,
): Promise<HierarchyFollower | undefined> {
  if (settings.nodeTerminus !== 'classifier') return undefined;
  const file = join(settings.stateDir, 'groups.json');
  const follower = new HierarchyFollower({
    client,
    primaryUrl,
    file,
    log: log.child({ service: 'classifier' }),
  });
  await follower.restore();
  return follower;
}

/** Sends the classifications of this server to the primary while the primary stores them. */
export function memberCheckIns(
  { log }: Foundation,
  { client, primaryUrl }: PrimaryLink,
  groups: HierarchyFollower | undefined,
): CheckInQueue {
  return new CheckInQueue({
    isStoring: () => groups?.storesCheckIns === true,
    save: sendCheckIns(client, primaryUrl),
    log: log.child({ service: 'classifier' }),
    intervalMs: checkInsMs,
    now: () => new Date(),
  });
}

/** What the groups of a compile server say of its own settings. @param certificate - the file of its own */
export async function valuesOfMember(
  { settings }: Foundation,
  groups: { readonly copy: GroupsCopy } | undefined,
  certificate: string,
): Promise<InfrastructureValues> {
  const { certname } = settings;
  const { extensions } = await readOwnCertificate(certificate);
  const trusted = { certname, extensions: puppetExtensions(extensions) };
  const hierarchy = () => (groups?.copy.kind === 'groups' ? groups.copy.hierarchy : undefined);
  return new InfrastructureValues(hierarchy, { name: certname, trusted });
}

/** @param groups - where the copy of them classifies */
export function memberNodes(
  foundation: Foundation,
  { client, isPrimaryAway, primaryUrl }: PrimaryLink,
  groups: HierarchyFollower | undefined,
  checkIns: CheckInQueue,
): Pick<AgentTermini, 'aroundNodes' | 'aroundTrustedExternal' | 'classifier'> {
  const log = foundation.log.child({ service: 'nodes' });
  const remember = (nodes: NodeTerminus) => rememberNodes(foundation, nodes, isPrimaryAway);
  const aroundTrustedExternal = (external: TrustedExternalTerminus) =>
    rememberTrustedExternal(foundation, external, isPrimaryAway);
  if (groups === undefined) return { aroundNodes: remember, aroundTrustedExternal };
  const remote = remember(new RemoteClassifiedNodes({ client, primaryUrl, log }));
  // With the default terminus and a primary without groups, only the main manifest applies.
  const withoutGroups = foundation.settings.chosenNodeTerminus === '' ? plainNodes : remote;
  const installations = new RemoteInstallations({ client, primaryUrl, log });
  return {
    classifier: copiedNodes({ groups, checkIns }, installations, { remote, withoutGroups }),
    aroundTrustedExternal,
  };
}

/**
 * @param others - `remote` is asked before there is a copy; `withoutGroups` where the primary hands out none: it has none, or is of a
 * version that is asked about each node
 */
function copiedNodes(
  { checkIns, groups }: { readonly groups: HierarchyFollower; readonly checkIns: CheckInQueue },
  installations: CompileServersTerminus,
  others: Readonly<Record<'remote' | 'withoutGroups', NodeTerminus>>,
): NodeTerminus {
  return {
    find(request, signal) {
      const { copy } = groups;
      if (copy.kind === 'groups')
        return new LocalClassifiedNodes(copy, installations, checkIns).find(request, signal);
      return others[copy.kind === 'none' ? 'withoutGroups' : 'remote'].find(request, signal);
    },
  };
}

/** What programs that classify ask is often on the primary: when that is away, last answers count. */
function rememberNodes(
  { database, log, metrics, settings }: Foundation,
  nodes: NodeTerminus,
  isAway: () => Promise<boolean>,
): NodeTerminus {
  // It asks nothing that could fail.
  if (settings.nodeTerminus === 'plain') return nodes;
  const remembered = new RememberedNodes<NodeRequest, Node>({
    kind: 'classification',
    nodes,
    database,
    isAway,
    log: log.child({ service: 'nodes' }),
    now: () => new Date(),
  });
  metrics.gauge(
    {
      name: 'bunraku_remembered_classifications',
      help: 'Catalogs with the last answer of a classifier that was away.',
    },
    () => remembered.servedFromMemory,
  );
  return remembered;
}

/** The same for the program of `trusted_external_command`. */
function rememberTrustedExternal(
  { database, log, settings }: Foundation,
  external: TrustedExternalTerminus,
  isAway: () => Promise<boolean>,
): TrustedExternalTerminus {
  if (settings.trustedExternalCommand === '') return external;
  const remembered = new RememberedNodes<{ readonly certname: string }, ExternalFacts>({
    kind: 'trusted external',
    nodes: { find: ({ certname }, signal) => external.find(certname, signal) },
    database,
    isAway,
    log: log.child({ service: 'nodes' }),
    now: () => new Date(),
  });
  return { find: async (certname, signal) => (await remembered.find({ certname }, signal)) ?? {} };
}
