/** Who classifies nodes on a compile server: the primary, and while that is away, memory. */

import { RemoteClassifiedNodes } from '../../services/classifier/index.ts';
import type {
  Node,
  NodeRequest,
  NodeTerminus,
  TrustedExternalTerminus,
} from '../../services/compiler/index.ts';
import { RememberedNodes } from '../../services/nodes/index.ts';
import type { AgentTermini } from '../agents/agent-services.ts';
import type { Foundation } from '../foundation.ts';
import type { PrimaryLink } from '../infrastructure/primary-link.ts';

type ExternalFacts = Awaited<ReturnType<TrustedExternalTerminus['find']>>;

/** The primary's classifier; while the primary is away, what it, or the site's own programs, said last. */
export function memberNodes(
  foundation: Foundation,
  { client, isPrimaryAway, primaryUrl }: PrimaryLink,
): Pick<AgentTermini, 'aroundNodes' | 'aroundTrustedExternal' | 'classifier'> {
  const log = foundation.log.child({ service: 'nodes' });
  return {
    classifier: new RemoteClassifiedNodes({ client, primaryUrl, log }),
    aroundNodes: (nodes) => rememberNodes(foundation, nodes, isPrimaryAway),
    aroundTrustedExternal: (external) => rememberTrustedExternal(foundation, external, isPrimaryAway),
  };
}

/** Classifiers, and what programs that classify ask, are on the primary: when that is away, last answers count. */
function rememberNodes(
  { database, log, metrics, settings }: Foundation,
  nodes: NodeTerminus,
  isAway: () => Promise<boolean>,
): NodeTerminus {
  // No classifier is asked, so none can fail.
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
