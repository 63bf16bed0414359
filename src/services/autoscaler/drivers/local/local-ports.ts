/** Ports of local compile servers. */

import { createServer } from 'node:net';

export interface LocalPorts {
  readonly agents: number;
  readonly broker: number;
  readonly health: number;
}

const each = 3;

export function portsOf(firstPort: number, index: number): LocalPorts {
  const agents = firstPort + each * index;
  return { agents, broker: agents + 1, health: agents + 2 };
}

export async function arePortsFree(host: string, ports: LocalPorts): Promise<boolean> {
  const free = await Promise.all(Object.values<number>({ ...ports }).map((port) => isFree(host, port)));
  return free.every(Boolean);
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
