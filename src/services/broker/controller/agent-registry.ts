/** Which agents are connected, over which broker: what brokers say of their inventories, put together. */

export interface AgentConnection {
  /** `pcp://NAME/server` */
  readonly broker: string;
  readonly since: Date;
}

export class AgentRegistry {
  /** By certname, the latest connection last: an agent that has moved may be with its old broker for a while. */
  private readonly agents = new Map<string, AgentConnection[]>();

  find(certname: string): AgentConnection | undefined {
    return this.agents.get(certname)?.at(-1);
  }

  *all(): Iterable<AgentConnection & { readonly certname: string }> {
    for (const [certname, connections] of this.agents) {
      const latest = connections.at(-1);
      if (latest !== undefined) yield { certname, ...latest };
    }
  }

  /** @returns whether this is news: the agent was elsewhere or nowhere */
  add(certname: string, broker: string, since: Date): boolean {
    const others = (this.agents.get(certname) ?? []).filter((connection) => connection.broker !== broker);
    const isNews = this.find(certname)?.broker !== broker;
    this.agents.set(certname, [...others, { broker, since }]);
    return isNews;
  }

  /** @returns whether the agent is nowhere now */
  remove(certname: string, broker: string): boolean {
    const connections = this.agents.get(certname);
    const others = connections?.filter((connection) => connection.broker !== broker) ?? [];
    if (others.length > 0) this.agents.set(certname, others);
    else this.agents.delete(certname);
    return connections !== undefined && others.length === 0;
  }

  /** @returns the agents of a broker, wherever else they are */
  of(broker: string): readonly string[] {
    return Array.from(this.agents).flatMap(([certname, connections]) =>
      connections.some((connection) => connection.broker === broker) ? [certname] : [],
    );
  }
}
