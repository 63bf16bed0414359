/** Classification on a compile server while the primary is away. */

import type { Settings } from '../../platform/settings/index.ts';
import type { NodeTerminus, TrustedExternalTerminus } from '../../services/compiler/index.ts';
import { RememberedNodes } from '../../services/nodes/index.ts';
import type { Foundation } from '../foundation.ts';

type NodeRequest = Parameters<NodeTerminus['find']>[0];
type ExternalFacts = Awaited<ReturnType<TrustedExternalTerminus['find']>>;
type Node = NonNullable<Awaited<ReturnType<NodeTerminus['find']>>>;

type Around = Pick<Foundation, 'database' | 'log' | 'metrics'> & {
  readonly settings: Pick<Settings, 'nodeTerminus' | 'trustedExternalCommand'>;
};

/** Classifiers, and what programs that classify ask, are on the primary: when that is away, last answers count. */
export function rememberNodes(
  { database, log, metrics, settings }: Around,
  nodes: NodeTerminus,
  isAway: () => Promise<boolean>,
): NodeTerminus {
  // Nobody is asked who could fail.
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
export function rememberTrustedExternal(
  { database, log, settings }: Around,
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
