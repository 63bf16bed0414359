/** The link to agents of a server without brokers: no node is connected. */

import type { AgentLink } from '../../services/orchestrator/index.ts';

export const noBrokers: AgentLink = {
  connection: () => undefined,
  connections: () => [],
  send: () => Promise.resolve('not-connected'),
  listen: () => () => undefined,
};
