/** The ports of a server that listen, by the names that the status API has for their services. */

/** The port for agents, whose services need no mention of it. */
export const agentsPort = 'agents';

export class OpenPorts {
  private readonly ports = new Map<string, number>();

  note(port: number, ...names: readonly string[]): void {
    for (const name of names) this.ports.set(name, port);
  }

  find(name: string): number | undefined {
    return this.ports.get(name);
  }
}
