/** Many agents in one process, each with its connection and its certificate: they answer pings of PXP, and say at once that a task has run. */

import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';

export interface AgentOrder {
  readonly port: number;
  readonly ca: string;
  readonly agents: readonly {
    readonly certname: string;
    readonly certificate: string;
    readonly privateKey: string;
  }[];
  /** How many connect at the same time. */
  readonly atOnce: number;
  /** How often each tries. */
  readonly tries: number;
  /** 1.2 when absent: C++ agents offer nothing else. Ours have 1.3. */
  readonly tlsVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** The size of a task's output, in bytes; a short line when absent. */
  readonly outputBytes?: number;
}

export interface AgentOutcome {
  readonly failed: number;
  /** Attempts after one that failed. */
  readonly again: number;
}

const key = '1Jl4UeC/5f3Qsr6kU7rooA==';
const upgrade =
  `GET /pcp2/agent HTTP/1.1\r\nConnection: Upgrade\r\nHost: localhost\r\nSec-WebSocket-Key: ${key}\r\n` +
  'Sec-WebSocket-Version: 13\r\nUpgrade: websocket\r\nUser-Agent: WebSocket++/0.8.2\r\n\r\n';
const headEnd = '\r\n\r\n';

/** Resolves when the upgrade has been answered with 101. */
function openAgent(
  { ca, outputBytes = 0, port, tlsVersion = 'TLSv1.2' }: AgentOrder,
  { certificate, certname, privateKey }: AgentOrder['agents'][number],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const secureContext = createSecureContext({
      ca,
      cert: certificate,
      key: privateKey,
      maxVersion: tlsVersion,
    });
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, secureContext }, () =>
      socket.write(upgrade),
    );
    let held: Buffer = Buffer.alloc(0);
    let isOpen = false;
    socket.on('data', (bytes: Buffer) => {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      if (!isOpen) {
        const end = held.indexOf(headEnd);
        if (end < 0) return;
        if (!held.toString('latin1').startsWith('HTTP/1.1 101')) reject(new Error(held.toString('latin1')));
        isOpen = true;
        held = held.subarray(end + headEnd.length);
        resolve();
      }
      held = takeFrames(held, (text) => answer({ socket, certname, outputBytes }, text));
    });
    const timer = setTimeout(() => {
      if (!isOpen) socket.destroy();
    }, attemptMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** @returns what is not a whole frame yet */
function takeFrames(bytes: Buffer, take: (text: string) => void): Buffer {
  let rest = bytes;
  for (;;) {
    const short = (rest[1] ?? 0) & 0x7f;
    const header = short === 126 ? 4 : 2;
    if (rest.length < header) return rest;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    if (rest.length < header + length) return rest;
    if ((rest.readUInt8(0) & 0x0f) === 1) take(rest.subarray(header, header + length).toString());
    rest = rest.subarray(header + length);
  }
}

interface PxpRequest {
  readonly message_type: string;
  readonly sender: string;
  readonly data: { readonly transaction_id: string; readonly module: string };
}

interface Answering {
  readonly socket: TLSSocket;
  readonly certname: string;
  readonly outputBytes: number;
}

function answer({ certname, outputBytes, socket }: Answering, text: string): void {
  const { data, message_type: type, sender } = JSON.parse(text) as PxpRequest;
  const id = data.transaction_id;
  const say = (kind: string, more: object): void =>
    send(socket, {
      id: crypto.randomUUID(),
      message_type: `http://puppetlabs.com/${kind}`,
      target: sender,
      sender: `pcp://${certname}/agent`,
      data: { transaction_id: id, ...more },
    });
  if (type.endsWith('/rpc_non_blocking_request')) {
    say('rpc_provisional_response', {});
    say('rpc_non_blocking_response', { results: { exitcode: 0, stdout: outputOf(id, outputBytes) } });
  } else if (data.module === 'ping') say('rpc_blocking_response', { results: { request_hops: [] } });
  else say('rpc_error_message', { id: crypto.randomUUID(), description: `unknown module: ${data.module}` });
}

/** A result as tasks have them: JSON with lists of lines in it. */
function outputOf(id: string, bytes: number): string {
  const line = 'a line of something that a task has found';
  const lines = Array.from({ length: Math.floor(bytes / (line.length + 3)) }, () => line);
  return JSON.stringify({ ran: id, ...(bytes === 0 ? {} : { lines }) });
}

function send(socket: TLSSocket, message: object): void {
  const payload = Buffer.from(JSON.stringify(message));
  // Masked with zeros: the broker takes the mask off all the same.
  const isLong = payload.length > 0xffff;
  const header = Buffer.alloc(isLong ? 14 : 8);
  header.writeUInt8(0x81, 0);
  header.writeUInt8(0x80 | (isLong ? 127 : 126), 1);
  if (isLong) header.writeBigUInt64BE(BigInt(payload.length), 2);
  else header.writeUInt16BE(payload.length, 2);
  socket.write(Buffer.concat([header, payload]));
}

/** As pxp-agents do: an attempt ends after five seconds; then they wait for two, four, eight seconds and so on, half a second off. */
const attemptMs = 5000;
const firstWaitMs = 2000;
const longestWaitMs = 32_000;

process.on('message', (order: AgentOrder) => {
  void openAll(order).then((outcome) => process.send?.(outcome));
});

async function openAll(order: AgentOrder): Promise<AgentOutcome> {
  const waiting = order.agents.values();
  const outcome = { failed: 0, again: 0 };
  const persist = async (agent: AgentOrder['agents'][number]): Promise<void> => {
    for (let attempt = 1, waitMs = firstWaitMs; attempt <= order.tries; attempt += 1) {
      if (attempt > 1) {
        outcome.again += 1;
        await sleep(waitMs - 500 + Math.random() * 1000);
        waitMs = Math.min(longestWaitMs, waitMs * 2);
      }
      const isOpen = await openAgent(order, agent).then(
        () => true,
        () => false,
      );
      if (isOpen) return;
    }
    outcome.failed += 1;
  };
  const work = async (): Promise<void> => {
    for (const agent of waiting) await persist(agent);
  };
  await Promise.all(Array.from({ length: order.atOnce }, work));
  return outcome;
}
