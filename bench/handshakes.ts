/**
 * How soon health checks are answered while a fleet opens connections.
 *
 * `npm run bench -- handshakes [CONNECTIONS]`: that many clients connect at the same time, again and again, each with its
 * certificate and a full handshake, which is nearly all that it takes the server to answer them.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createSecureContext } from 'node:tls';
import type { Installation } from '../demo/installation.ts';
import { withLonePrimary } from './lone-primary.ts';
import { checkHealthElsewhere, quantile } from './overload.ts';

interface Crowd {
  readonly port: number;
  readonly connections: number;
  readonly credentials: ReturnType<Installation['operatorCredentials']>;
}

const seconds = 20;

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.once('message', (crowd: Crowd) => void storm(crowd));

export async function measureHandshakes([connections = '1000']: readonly string[]): Promise<void> {
  const { handshakes, health, plainHealth } = await measure(Number(connections));
  const line = (name: string, values: readonly number[]) =>
    `${name}: ${values.length} checks, p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms, max ${quantile(values, 1)} ms`;
  console.log(`${connections} clients at a time: ${Math.round(handshakes / seconds)} handshakes a second`);
  console.log(line('health check over TLS', health));
  console.log(line('health check at health_port', plainHealth));
}

function measure(connections: number) {
  return withLonePrimary({}, async ({ healthUrl, installation }) => {
    await installation.startPrimary();
    const crowd = fork(import.meta.filename);
    const endChecks = checkHealthElsewhere([installation.primaryUrl, healthUrl]);
    const credentials = installation.operatorCredentials();
    crowd.send({ port: installation.options.ports.primary, connections, credentials } satisfies Crowd);
    const [handshakes] = (await once(crowd, 'message')) as [number];
    const [health = [], plainHealth = []] = await endChecks();
    crowd.kill();
    return { handshakes, health, plainHealth };
  });
}

/** Each client is followed by another one as soon as it has been let in. */
async function storm({ connections, credentials, port }: Crowd): Promise<void> {
  const endMs = performance.now() + seconds * 1000;
  const counted = { handshakes: 0 };
  const { ca, certificate: cert, privateKey: key } = credentials;
  const secureContext = createSecureContext({ ca, cert, key });
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: 'localhost', port, secureContext });
      socket.once('secureConnect', () => {
        counted.handshakes += 1;
        socket.destroy();
      });
      socket.once('error', () => socket.destroy());
      socket.once('close', () => resolve());
      setTimeout(() => socket.destroy(), endMs - performance.now());
    });
  const client = async () => {
    while (performance.now() < endMs) await one();
  };
  await Promise.all(Array.from({ length: connections }, client));
  process.send?.(counted.handshakes);
}
