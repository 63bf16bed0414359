/** The status API of a port that serves some of the server's services: `/status/v1` with those alone. */

import type { Route } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type StatusProvider, StatusRegistry, statusRoutes } from '../../services/status/index.ts';

export class PortStatus {
  private readonly server: StatusRegistry;
  private readonly own: StatusRegistry;
  readonly routes: readonly Route[];

  /** @param server - where the agents' port reads the status of every service */
  constructor(server: StatusRegistry, log: Logger) {
    this.server = server;
    this.own = new StatusRegistry(log);
    this.routes = statusRoutes(this.own);
  }

  /** Adds a service that runs behind this port to both. */
  register(provider: StatusProvider): void {
    this.server.register(provider);
    this.own.register(provider);
  }

  /** Shows a service that runs behind another port, too, where the server has it; here it counts as any other. */
  show(name: string): void {
    const provider = this.server.find(name);
    if (provider !== undefined) this.own.register({ ...provider, names: [name], isApart: false });
  }
}
