/** Classification on a compile server while the primary is away. */

import type { HttpClient } from '../platform/http-client/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { NodeTerminus } from '../services/compiler/index.ts';
import { RememberedNodes } from '../services/nodes/index.ts';
import type { Foundation } from './foundation.ts';

interface Primary {
  readonly client: HttpClient;
  readonly primaryUrl: string;
}

type NodeRequest = Parameters<NodeTerminus['find']>[0];
type Node = NonNullable<Awaited<ReturnType<NodeTerminus['find']>>>;

/** A primary that takes longer is away: agents wait for the answer. */
const patienceMs = 2000;
/** How long it is taken to be as it was found. */
const rememberMs = 5000;

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
  primary: Primary,
): NodeTerminus {
  // Nobody is asked who could fail.
  if (settings.nodeTerminus === 'plain') return nodes;
  const isAway = awayCheck(primary);
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

function awayCheck({ client, primaryUrl }: Primary): () => Promise<boolean> {
  let last: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined;
  const look = async () => {
    try {
      const url = `${primaryUrl}/status/v1/simple`;
      const { status } = await client.send({ method: 'GET', url, timeoutMs: patienceMs });
      return status !== 200;
    } catch {
      // Nobody listens, or nobody answers in time.
      return true;
    }
  };
  return () => {
    if (last === undefined || performance.now() - last.atMs > rememberMs)
      last = { atMs: performance.now(), answer: look() };
    return last.answer;
  };
}
