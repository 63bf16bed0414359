/** A second port for agents, over plain HTTP: a proxy ends TLS, and says in headers who asks. */

import type { HttpServer } from '../../platform/http/index.ts';

export interface PlainPortOptions {
  readonly httpHost: string;
  readonly httpPort: number;
}

/** Both as one: they open, drain and close together. */
export function withPlainPort(
  agents: HttpServer,
  plain: HttpServer,
  { httpHost, httpPort }: PlainPortOptions,
): HttpServer {
  const both = [agents, plain];
  return {
    get isDraining() {
      return agents.isDraining;
    },
    get requestsInFlight() {
      return agents.requestsInFlight + plain.requestsInFlight;
    },
    async listen(port, host) {
      await plain.listen(httpPort, httpHost === '' ? undefined : httpHost);
      return agents.listen(port, host);
    },
    reloadTls: (material) => agents.reloadTls(material),
    setAuthorization(authorization) {
      for (const server of both) server.setAuthorization(authorization);
    },
    setRevocationLists: (...args) => agents.setRevocationLists(...args),
    async retire(...args) {
      await Promise.all(both.map((server) => server.retire(...args)));
    },
    async drain(timeoutMs) {
      await Promise.all(both.map((server) => server.drain(timeoutMs)));
    },
  };
}
