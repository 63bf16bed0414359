/**
 * What no agent sends to a broker, and no broker to an orchestrator: damaged messages of PCP, and damaged frames. The same ones each
 * time, drawn from a seed.
 */

import { connect } from 'node:tls';
import { brokerParsers } from '../../fuzz/broker-parsers.ts';
import { damaged } from '../../fuzz/fuzz.ts';
import { mutate } from '../../fuzz/mutate.ts';
import { Random } from '../../fuzz/random.ts';
import type { TestCertificate } from '../../support/openssl-authority.ts';

/** The node whose messages were recorded. */
export const oddClient = 'agent01.example.vm';

/** On one connection. */
const messagesEach = 20;
const closeFrame = frameOf(8, Buffer.from([0x03, 0xe8]));
const patienceMs = 20_000;

interface Protocol {
  readonly path: string;
  readonly opcode: number;
  readonly next: (random: Random) => Buffer;
}

export type Protocols = readonly [Protocol, ...Protocol[]];

export const protocolsOfAgents: Protocols = [
  { path: '/pcp2/', opcode: 1, next: damagedMessages('PCP 2 at a broker') },
  { path: '/pcp/', opcode: 2, next: damagedMessages('PCP 1 at a broker') },
];
export const protocolsOfBrokers: Protocols = [
  { path: '/server', opcode: 1, next: damagedMessages('PCP 2 of a broker') },
];

/** Who sends how many, and what. */
export interface OddFrames {
  readonly client: Pick<TestCertificate, 'certificate' | 'privateKey'>;
  readonly protocols: Protocols;
  readonly count: number;
  readonly seed: number;
}

export interface OddFigures {
  readonly sent: number;
  /** Connections that were not accepted. */
  readonly refused: number;
  /** Connections that the broker has left open after their client's end. */
  readonly hanging: number;
  /** Messages that the broker has answered with an error. */
  readonly errors: number;
}

/** Every third connection sends damaged frames, the others whole frames with damaged messages. */
export async function sendOddFrames(
  port: number,
  { client, count, protocols, seed }: OddFrames,
): Promise<OddFigures> {
  const random = new Random(seed);
  let [sent, refused, hanging, errors] = [0, 0, 0, 0];
  for (let index = 0; sent < count; index += 1) {
    const protocol = random.of(protocols);
    const whole = Array.from({ length: messagesEach }, () => frameOf(protocol.opcode, protocol.next(random)));
    const [first = closeFrame, ...others] = whole;
    const seeds = [first, ...others] as const;
    const frames = index % 3 === 0 ? whole.map(() => mutate(seeds, ['\0', '\u007f'], random)) : whole;
    const answer = await converse(port, client, protocol.path, Buffer.concat([...frames, closeFrame]));
    if (answer === undefined) hanging += 1;
    else if (!answer.startsWith('HTTP/1.1 101 ')) refused += 1;
    else errors += answer.split('error_message').length - 1;
    sent += frames.length;
  }
  return { sent, refused, hanging, errors };
}

function damagedMessages(name: string): Protocol['next'] {
  const parser = brokerParsers.find((each) => each.name === name);
  if (parser === undefined) throw new Error(`nothing damages messages of ${name}`);
  const [first, ...others] = parser.seeds.map((each) => Buffer.from(each));
  const seeds = [first ?? Buffer.alloc(0), ...others] as const;
  return (random) => damaged(parser, seeds, random);
}

/** A whole frame of a client, with a mask that changes nothing. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header[0] = 0x80 | opcode;
  const lengthBytes = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  header[1] = 0x80 | (lengthBytes === 0 ? payload.length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) header.writeUInt16BE(payload.length, 2);
  else if (lengthBytes === 8) header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header.subarray(0, 2 + lengthBytes), Buffer.alloc(4), payload]);
}

/**
 * Connects as an agent does, sends, and ends its side.
 *
 * @returns what the broker sent, as text; `undefined` when it has not ended its own side in time
 */
function converse(
  port: number,
  client: OddFrames['client'],
  path: string,
  bytes: Buffer,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { certificate: cert, privateKey: key } = client;
    const socket = connect({ host: '127.0.0.1', port, cert, key, rejectUnauthorized: false });
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const host = ['Host: localhost', 'Sec-WebSocket-Key: 2JT7amywmoKjh+dAnHoCQA=='];
    socket.write(`${[`GET ${path} HTTP/1.1`, ...host, ...upgrade].join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.once('data', () => socket.end(bytes));
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString('latin1');
    });
    socket.setTimeout(patienceMs, () => {
      resolve(undefined);
      socket.destroy();
    });
    // A broker that hangs up has had enough.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
