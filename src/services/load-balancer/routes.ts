/** `GET /load-balancer/v1/servers`: whom a load balancer may send agents to. */

import { json, type Route, route } from '../../platform/http/index.ts';

/** In the words of the network. */
export interface ListedServer {
  readonly certname: string;
  /** `https://compile1.example.com:8140` */
  readonly url: string;
  readonly state: string;
  /** The only address that it listens on, where it is one. */
  readonly address?: string;
  /** For checks over plain HTTP, where it has one. */
  readonly health_port?: number;
}

/** @param list - the compile servers that there are, whether or not they answer */
export function loadBalancerRoutes(list: () => readonly ListedServer[]): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/load-balancer/v1/servers',
      // Agents find servers by name anyway: any machine with a certificate may balance them.
      allow: { kind: 'certname', allows: () => true },
      handle: () => json({ servers: list() }),
    }),
  ];
}
