/** A syslog server, over TCP (RFC 6587, octet counting) or UDP (RFC 5426). */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RecordedChange } from '../activity.ts';
import { syslogMessage } from './change-line.ts';
import type { ChangeSink } from './sink.ts';

export interface SyslogAddress {
  readonly protocol: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
}

const usualPorts = { tcp: 601, udp: 514 } as const;
const timeoutMs = 10_000;

/** @param text - `tcp://siem.example.com:601` @returns `undefined` for other texts */
export function parseSyslogAddress(text: string): SyslogAddress | undefined {
  const found = /^(tcp|udp):\/\/(\[[0-9a-f:.]+\]|[^:/[\]]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  const [, scheme = '', host = '', digits] = found ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== 'tcp' && protocol !== 'udp') return undefined;
  const port = digits === undefined ? usualPorts[protocol] : Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  return { protocol, host: host.replace(/^\[|\]$/g, ''), port };
}

/** @param certname - which server speaks */
export function syslogSink({ host, port, protocol }: SyslogAddress, certname: string): ChangeSink {
  const name = `syslog:${protocol}://${host}:${port}`;
  const render = (change: RecordedChange) => Buffer.from(syslogMessage(change, certname));
  return protocol === 'udp' ? udpSink(name, { host, port }, render) : tcpSink(name, { host, port }, render);
}

type Render = (change: RecordedChange) => Buffer;
type Place = Pick<SyslogAddress, 'host' | 'port'>;

function udpSink(name: string, { host, port }: Place, render: Render): ChangeSink {
  return {
    name,
    async send(changes) {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      try {
        for (const change of changes) {
          const { promise, reject, resolve } = Promise.withResolvers<void>();
          socket.send(render(change), port, host, (error) => (error === null ? resolve() : reject(error)));
          await promise;
        }
      } finally {
        socket.close();
      }
    },
    close: () => {},
  };
}

/** One connection, which is opened when there is something to say. */
function tcpSink(name: string, place: Place, render: Render): ChangeSink {
  let open: Socket | undefined;
  const connected = async (): Promise<Socket> => {
    if (open !== undefined && !open.destroyed && open.writable) return open;
    const socket = connect({ ...place, keepAlive: true });
    // What happens between two messages is noticed when the next one is sent.
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.resume();
    open = socket;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await once(socket, 'connect', { signal });
    } catch (cause) {
      socket.destroy();
      throw signal.aborted ? new Error(`${name} does not answer`, { cause }) : cause;
    }
    return socket;
  };
  return {
    name,
    async send(changes) {
      const socket = await connected();
      const messages = changes.map((change) => {
        const message = render(change);
        return Buffer.concat([Buffer.from(`${message.length} `), message]);
      });
      await written(socket, Buffer.concat(messages), name);
    },
    close: () => open?.destroy(),
  };
}

/** Resolves when the system has taken it, which is as much as TCP's syslog can say. */
async function written(socket: Socket, bytes: Buffer, name: string): Promise<void> {
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.destroy(new Error(`${name} takes nothing`)), timeoutMs);
  const fail = () => reject(new Error(`${name} has closed the connection`));
  socket.once('close', fail);
  socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    socket.off('close', fail);
  }
}
