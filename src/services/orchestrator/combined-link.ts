/** Nodes with a PXP agent and nodes that are reached by SSH. A node with an SSH entry always uses SSH, so it cannot switch during a job. */

import type { AgentLink } from './agent-link.ts';

export function combinedLink(agents: AgentLink, ssh: AgentLink): AgentLink {
  const linkOf = (certname: string) => (ssh.connection(certname) === undefined ? agents : ssh);
  return {
    connection: (certname) => linkOf(certname).connection(certname),
    // The inventory is that of agents.
    connections: () => agents.connections(),
    expectedUntil: (certname) => linkOf(certname).expectedUntil(certname),
    send: (certname, messageType, data) => linkOf(certname).send(certname, messageType, data),
    listen(listener) {
      const ends = [agents.listen(listener), ssh.listen(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
