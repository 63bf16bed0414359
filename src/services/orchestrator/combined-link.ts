/**
 * Nodes with a PXP agent and nodes that are reached by SSH. New actions on a node with an SSH entry use SSH. An action that has begun
 * keeps its transport: the other side knows nothing of it, and would run it a second time.
 */

import type { AgentLink, Transport } from './agent-link.ts';

export function combinedLink(agents: AgentLink, ssh: AgentLink): AgentLink {
  const linkOf = (certname: string, transport: Transport | undefined): AgentLink => {
    if (transport !== undefined) return transport === 'ssh' ? ssh : agents;
    return ssh.connection(certname) === undefined ? agents : ssh;
  };
  return {
    connection: (certname, transport) => linkOf(certname, transport).connection(certname),
    // The inventory is that of agents.
    connections: () => agents.connections(),
    expectedUntil: (certname, transport) => linkOf(certname, transport).expectedUntil(certname),
    send: (certname, messageType, data, transport) =>
      linkOf(certname, transport).send(certname, messageType, data),
    listen(listener) {
      const ends = [agents.listen(listener), ssh.listen(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
