/**
 * The other end of brokers: knows their agents, and sends messages over whichever broker holds the connection.
 *
 * A broker is asked for its inventory when it connects, and tells of changes from then on. What it says about an agent counts until it
 * says something else, or is lost.
 */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json } from '../../../lib/json.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { codecV2 } from '../messages/codec-v2.ts';
import { brokerUri, type Message, messageTypes } from '../messages/message.ts';
import { parseUri, renderUri } from '../messages/uri.ts';
import { type AgentConnection, AgentRegistry } from './agent-registry.ts';

/** A message of an agent. */
export interface ReceivedMessage {
  readonly id: string;
  readonly messageType: string;
  readonly inReplyTo?: string;
  readonly data: Json;
  /** What the reader of large messages has made of one; `data` is `null` then. */
  readonly read?: unknown;
}

/** Reads large messages elsewhere: to read one takes a tenth of a second, which everything else would wait for. */
export interface LargeMessageReader {
  /**
   * @param message - belongs to the reader from now on
   * @returns who sent it, and the message; `undefined` when there is nothing to tell
   */
  read(
    message: Uint8Array,
  ): Promise<{ readonly certname: string; readonly message: ReceivedMessage } | undefined>;
}

export interface AgentListener {
  message(certname: string, message: ReceivedMessage): void;
  connected(certname: string, broker: string): void;
  lost(certname: string): void;
}

/** A broker that is connected. */
export interface BrokerLink {
  /** `pcp://compile1.example.com/server` */
  readonly uri: string;
  send(text: string): void;
}

/** What a broker says, and its end. */
export interface BrokerEvents {
  /** @returns resolves when a large message has been read; `undefined` when nothing is left to do */
  message(data: string | Uint8Array): Promise<void> | undefined;
  lost(): void;
}

export interface ControllerOptions {
  readonly log: Logger;
  readonly now: () => Date;
  /** All messages are read here when absent. */
  readonly large?: LargeMessageReader;
}

/** Smaller messages are read at once. In characters or bytes. */
export const largeMessageLength = 256 * 1024;

const agentType = 'agent';
const agentQuery = { query: [renderUri({ name: '*', type: agentType })], subscribe: true };
const InventoryWire = z.object({ uris: z.array(z.string()) });
/** `change`: 1 for a client that has come, -1 for one that has gone. */
const ChangesWire = z.object({ changes: z.array(z.object({ client: z.string(), change: z.number() })) });
/**
 * How long agents of a lost broker are expected. A broker that is cut off keeps its agents for 90 s, then sends a hundred away
 * each second; they need 10 to 40 s to be at another one.
 */
const returnMs = 180_000;
/** How many messages are remembered until their broker has had time to say that the agent is gone. */
const rememberedMessages = 10_000;

export class AgentController {
  private readonly options: ControllerOptions;
  private readonly agents = new AgentRegistry();
  private readonly brokers = new Map<string, BrokerLink>();
  private readonly listeners = new Set<AgentListener>();
  /** Agents whose broker was lost, with the time until which they are expected. */
  private readonly expected = new Map<string, number>();
  /** To whom what was sent last, by the id of the message. */
  private readonly sent = new Map<string, string>();

  constructor(options: ControllerOptions) {
    this.options = options;
  }

  connection(certname: string): AgentConnection | undefined {
    return this.agents.find(certname);
  }

  connections(): Iterable<AgentConnection & { readonly certname: string }> {
    return this.agents.all();
  }

  /** @returns until when an agent is likely to come back whose broker was lost; `undefined` for others */
  expectedUntil(certname: string): Date | undefined {
    const untilMs = this.expected.get(certname) ?? 0;
    return untilMs > this.options.now().getTime() ? new Date(untilMs) : undefined;
  }

  /** @returns the brokers that are connected, in the order in which they came */
  get brokerUris(): readonly string[] {
    return [...this.brokers.keys()];
  }

  /** At most once: `sent` means handed to a broker that has the agent. */
  send(certname: string, messageType: string, data: Json): Promise<'sent' | 'not-connected'> {
    const broker = this.brokers.get(this.agents.find(certname)?.broker ?? '');
    if (broker === undefined) return Promise.resolve('not-connected');
    const id = randomUUID();
    this.remember(id, certname);
    const targets = [renderUri({ name: certname, type: agentType })];
    broker.send(codecV2.encode({ id, messageType, targets, data }) as string);
    return Promise.resolve('sent');
  }

  listen(listener: AgentListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** A broker has connected; one of the same name that is still there is no longer asked. */
  addBroker(broker: BrokerLink): BrokerEvents {
    const { log } = this.options;
    this.brokers.set(broker.uri, broker);
    log.info({ broker: broker.uri }, 'broker is connected');
    const request = { id: randomUUID(), messageType: messageTypes.inventoryRequest, data: agentQuery };
    broker.send(codecV2.encode({ ...request, targets: [brokerUri] }) as string);
    return {
      message: (data) => {
        if (this.brokers.get(broker.uri) !== broker) return undefined;
        const { large } = this.options;
        if (large !== undefined && isLargeAnswer(data)) return this.takeLarge(broker, data, large);
        this.take(broker, codecV2.decode(typeof data === 'string' ? data : bufferOf(data)));
        return undefined;
      },
      lost: () => {
        if (this.brokers.get(broker.uri) !== broker) return;
        this.brokers.delete(broker.uri);
        log.warn({ broker: broker.uri }, 'broker is disconnected');
        this.loseAll(broker.uri);
      },
    };
  }

  private take(broker: BrokerLink, message: Message | undefined): void {
    const sender = parseUri(message?.sender ?? '');
    if (message === undefined || sender === undefined) {
      this.options.log.warn({ broker: broker.uri }, 'broker sent something that is not a message');
      return;
    }
    if (sender.name === '') this.takeFromBroker(broker, message);
    else this.tellMessage(sender.name, message);
  }

  /** Never rejects: an agent whose answer is lost is asked again. */
  private async takeLarge(
    { uri: broker }: BrokerLink,
    data: string | Uint8Array,
    large: LargeMessageReader,
  ): Promise<void> {
    try {
      const found = await large.read(typeof data === 'string' ? Buffer.from(data) : data);
      if (found !== undefined) this.tell((listener) => listener.message(found.certname, found.message));
    } catch (err) {
      this.options.log.warn({ err, broker }, 'could not read a large message of an agent');
    }
  }

  private takeFromBroker({ uri }: BrokerLink, { data, inReplyTo, messageType }: Message): void {
    if (messageType === messageTypes.inventoryResponse) this.replaceInventory(uri, data);
    else if (messageType === messageTypes.inventoryUpdate) this.changeInventory(uri, data);
    else if (messageType === messageTypes.error) {
      const certname = this.sent.get(inReplyTo ?? '');
      this.options.log.info({ broker: uri, certname, reason: data }, 'broker could not deliver a message');
      // It had left when the message came: the broker has not told yet.
      if (certname !== undefined) this.lose(certname, uri);
    }
  }

  private tellMessage(certname: string, { data = null, id, inReplyTo, messageType }: Message): void {
    const message = {
      id,
      messageType,
      data: data as Json,
      ...(inReplyTo === undefined ? {} : { inReplyTo }),
    };
    this.tell((listener) => listener.message(certname, message));
  }

  private replaceInventory(broker: string, data: unknown): void {
    const inventory = this.read(InventoryWire, data, broker);
    if (inventory === undefined) return;
    const certnames = new Set(inventory.uris.flatMap(agentNames));
    for (const certname of this.agents.of(broker)) if (!certnames.has(certname)) this.lose(certname, broker);
    for (const certname of certnames) this.gain(certname, broker);
  }

  private changeInventory(broker: string, data: unknown): void {
    for (const { change, client } of this.read(ChangesWire, data, broker)?.changes ?? [])
      for (const certname of agentNames(client)) {
        if (change === -1) this.lose(certname, broker);
        // Also when it is known there: it has lost a connection that its broker still held to be good.
        else if (!this.gain(certname, broker)) this.tell((listener) => listener.connected(certname, broker));
      }
  }

  private read<T extends z.ZodType>(shape: T, data: unknown, broker: string): z.infer<T> | undefined {
    const checked = checkShape(shape, data);
    if (!checked.success) this.options.log.warn({ broker }, 'broker sent an inventory that cannot be read');
    return checked.data;
  }

  private loseAll(broker: string): void {
    const nowMs = this.options.now().getTime();
    for (const [certname, untilMs] of this.expected) if (untilMs <= nowMs) this.expected.delete(certname);
    for (const certname of this.agents.of(broker)) {
      this.expected.set(certname, nowMs + returnMs);
      this.lose(certname, broker);
    }
  }

  /** @returns whether this is news, which listeners have been told then */
  private gain(certname: string, broker: string): boolean {
    this.expected.delete(certname);
    const isNews = this.agents.add(certname, broker, this.options.now());
    if (isNews) this.tell((listener) => listener.connected(certname, broker));
    return isNews;
  }

  private lose(certname: string, broker: string): void {
    if (this.agents.remove(certname, broker)) this.tell((listener) => listener.lost(certname));
  }

  private tell(say: (listener: AgentListener) => void): void {
    for (const listener of this.listeners) say(listener);
  }

  private remember(id: string, certname: string): void {
    this.sent.set(id, certname);
    if (this.sent.size <= rememberedMessages) return;
    const [oldest] = this.sent.keys();
    if (oldest !== undefined) this.sent.delete(oldest);
  }
}

function agentNames(uri: string): readonly string[] {
  const parsed = parseUri(uri);
  return parsed === undefined || parsed.name === '' || parsed.type !== agentType ? [] : [parsed.name];
}

/** Those of brokers themselves keep their order, and are read at once. Brokers write the type after the id. */
const answerHead = /^\{"id":"[^"]{36}","message_type":"http:\/\/puppetlabs\.com\/rpc_/;
const headLength = 100;

function isLargeAnswer(data: string | Uint8Array): boolean {
  if (data.length <= largeMessageLength) return false;
  const head =
    typeof data === 'string' ? data.slice(0, headLength) : bufferOf(data).toString('latin1', 0, headLength);
  return answerHead.test(head);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
