/** Classification on a compile server while the primary is away. */

import type { Settings } from '../platform/settings/index.ts';
import type { NodeTerminus } from '../services/compiler/index.ts';
import { RememberedNodes } from '../services/nodes/index.ts';
import type { Foundation } from './foundation.ts';

type NodeRequest = Parameters<NodeTerminus['find']>[0];
type Node = NonNullable<Awaited<ReturnType<NodeTerminus['find']>>>;

/** Classifiers, and what programs that classify ask, are on the primary: when that is away, last answers count. */
export function rememberNodes(
  {
    database,
    log,
    metrics,
    settings,
  }: Pick<Foundation, 'database' | 'log' | 'metrics'> & {
    readonly settings: Pick<Settings, 'nodeTerminus'>;
  },
  nodes: NodeTerminus,
  isAway: () => Promise<boolean>,
): NodeTerminus {
  // Nobody is asked who could fail.
  if (settings.nodeTerminus === 'plain') return nodes;
  const now = () => new Date();
  const remembered = new RememberedNodes<NodeRequest, Node>({
    nodes,
    database,
    isAway,
    log: log.child({ service: 'nodes' }),
    now,
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
