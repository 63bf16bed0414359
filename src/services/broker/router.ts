/** What becomes of a message: the checks in their order, then the way to its target. */

import { randomUUID } from 'node:crypto';
import type { Logger } from '../../platform/log/index.ts';
import type { Access, Outcome } from './access-line.ts';
import type { Controllers } from './controllers.ts';
import { codecV2 } from './messages/codec-v2.ts';
import { brokerUri, type Message, messageTypes } from './messages/message.ts';
import { hasWildcard, type PcpUri, parseUri } from './messages/uri.ts';
import type { MessageHeader } from './rules.ts';
import type { Session, Wire } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Who sends messages: a client or a controller. */
export interface Party {
  /** Has the party's subscription. */
  readonly owner: object;
  readonly uri: string;
  /** The name that its messages must have as that of the sender. */
  readonly name: string;
  readonly address: string;
  /** Absent for controllers. */
  readonly session?: Session;
  maySend(header: MessageHeader): boolean;
  reply(message: Message): void;
}

export interface RouterOptions {
  readonly sessions: Sessions;
  readonly controllers: Controllers;
  readonly log: Logger;
  readonly onAccess: (access: Access) => void;
  /** Hands a message of others to a client. */
  readonly send: (wire: Wire, frame: string | Buffer) => void;
  /** Called while so much waits for a controller that no more should be read of a client. */
  readonly onCongestion: (session: Session, isOver: () => boolean) => void;
}

/** What waits for a client that does not read; it is cut off above that. */
const maxUnreadBytes = 128 * 1024 * 1024;
/** While so much waits for a controller, its senders wait. */
const controllerHighWaterBytes = 8 * 1024 * 1024;
/** C++ agents drop their connection at a larger message. */
const maxAgentMessageBytes = 32_000_000;

const texts = {
  undecodable: 'Could not decode message',
  unauthenticated: 'Message not authenticated.',
  unauthorized: 'Message not authorized.',
  multiple: 'Multiple recipients no longer supported.',
  notConnected: 'Not connected.',
  alreadyAssociated: 'Session already associated.',
} as const;

interface Problem {
  readonly outcome: Outcome;
  readonly text: string;
}

export class Router {
  private readonly options: RouterOptions;

  constructor(options: RouterOptions) {
    this.options = options;
  }

  /** @param decoded - `undefined` when it could not be decoded */
  accept(party: Party, decoded: Message | undefined): void {
    if (decoded === undefined) {
      this.note(party, 'DESERIALIZATION_ERROR');
      party.reply(errorMessage(party.uri, texts.undecodable));
      return;
    }
    if (party.session?.isAssociated === false && decoded.messageType !== messageTypes.associateRequest) {
      this.options.log.warn({ client: party.uri, id: decoded.id }, 'dropped a message before an association');
      return;
    }
    const message = {
      ...decoded,
      sender: decoded.sender ?? party.uri,
      targets: decoded.targets.length === 0 ? [brokerUri] : decoded.targets,
    };
    const problem = problemOf(party, message);
    this.note(party, problem?.outcome ?? 'AUTHORIZATION_SUCCESS', message);
    if (problem === undefined) this.route(party, message);
    else if (
      message.messageType === messageTypes.associateRequest &&
      problem.outcome !== 'MULTICAST_UNSUPPORTED'
    )
      refuseAssociation(party, message, problem.text);
    else party.reply(errorMessage(party.uri, problem.text, message.id));
  }

  private route(party: Party, message: Message): void {
    const [target = brokerUri] = message.targets;
    if (target === brokerUri) {
      this.serve(party, message);
      return;
    }
    const failure = this.deliver(party, target, message);
    if (failure !== undefined) party.reply(errorMessage(party.uri, failure, message.id));
  }

  /** @returns why it could not be sent */
  private deliver(party: Party, target: string, message: Message): string | undefined {
    const { controllers, onCongestion, send, sessions } = this.options;
    const client = sessions.find(target);
    if (client?.isAssociated === true && !client.isOver) return deliverToClient(client, message, send);
    const controller = controllers.find(target);
    if (controller === undefined) return texts.notConnected;
    controller.send(codecV2.encode(message) as string);
    if (party.session !== undefined && controller.bufferedBytes > controllerHighWaterBytes)
      onCongestion(party.session, () => controller.bufferedBytes < controllerHighWaterBytes / 2);
    return undefined;
  }

  /** Messages for the broker itself. */
  private serve(party: Party, message: Message): void {
    if (message.messageType === messageTypes.inventoryRequest) this.answerInventory(party, message);
    else if (message.messageType === messageTypes.associateRequest) this.associate(party, message);
    else
      this.options.log.debug(
        { client: party.uri, messageType: message.messageType },
        'ignored a message for the broker',
      );
  }

  private answerInventory(party: Party, { data, id }: Message): void {
    const query = inventoryQuery(data);
    if (query === undefined) {
      const text =
        'Error :schema-violation handling message: data is not {query: [uri...], subscribe?: boolean}';
      party.reply(errorMessage(party.uri, text, id));
      return;
    }
    const { inventory } = this.options.sessions;
    const { patterns, subscribe } = query;
    party.reply({
      ...fromBroker(party.uri, messageTypes.inventoryResponse, { uris: inventory.find(patterns) }),
      inReplyTo: id,
    });
    if (!subscribe) inventory.unsubscribe(party.owner);
    else
      inventory.subscribe(party.owner, patterns, (changes) =>
        party.reply(fromBroker(party.uri, messageTypes.inventoryUpdate, { changes })),
      );
  }

  private associate(party: Party, message: Message): void {
    const { session } = party;
    if (session === undefined) return;
    if (message.sender !== party.uri) {
      refuseAssociation(party, message, texts.alreadyAssociated);
      return;
    }
    this.options.sessions.associate(session);
    party.reply(associateResponse(party.uri, message, { success: true }));
  }

  private note({ address, name }: Party, outcome: Outcome, message?: Message): void {
    this.options.onAccess({ outcome, address, commonName: name, ...message });
  }
}

function problemOf(party: Party, message: Message & { readonly sender: string }): Problem | undefined {
  const { targets } = message;
  if (parseUri(message.sender)?.name.toLowerCase() !== party.name.toLowerCase())
    return { outcome: 'AUTHENTICATION_FAILURE', text: texts.unauthenticated };
  if (!party.maySend(message)) return { outcome: 'AUTHORIZATION_FAILURE', text: texts.unauthorized };
  const isWide = targets.length > 1 || targets.some((target) => isWildcard(parseUri(target)));
  return isWide ? { outcome: 'MULTICAST_UNSUPPORTED', text: texts.multiple } : undefined;
}

function isWildcard(uri: PcpUri | undefined): boolean {
  return uri !== undefined && hasWildcard(uri);
}

/** @returns why it could not be sent */
function deliverToClient(
  { client, wire }: Session,
  message: Message,
  send: RouterOptions['send'],
): string | undefined {
  const frame = client.codec.encode(message);
  const bytes = Buffer.byteLength(frame);
  if (bytes > maxAgentMessageBytes) return `Message of ${bytes} bytes is too large for the client.`;
  if (wire.bufferedBytes + bytes > maxUnreadBytes) {
    wire.cut();
    return texts.notConnected;
  }
  send(wire, frame);
  return undefined;
}

function fromBroker(target: string, messageType: string, data: unknown): Message {
  return { id: randomUUID(), messageType, sender: brokerUri, targets: [target], data };
}

function errorMessage(target: string, text: string, inReplyTo?: string): Message {
  const message = fromBroker(target, messageTypes.error, text);
  return inReplyTo === undefined ? message : { ...message, inReplyTo };
}

function associateResponse(target: string, { id }: Message, result: object): Message {
  return { ...fromBroker(target, messageTypes.associateResponse, { id, ...result }), inReplyTo: id };
}

/** Agents of version 1 end at this answer: it is not for what may pass. */
function refuseAssociation(party: Party, message: Message, reason: string): void {
  party.reply(associateResponse(party.uri, message, { success: false, reason }));
  party.session?.close(4002, 'Association unsuccessful.');
}

function inventoryQuery(
  data: unknown,
): { readonly patterns: readonly PcpUri[]; readonly subscribe: boolean } | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { query, subscribe = false, ...others } = data as Readonly<Record<string, unknown>>;
  if (!Array.isArray(query) || typeof subscribe !== 'boolean' || Object.keys(others).length > 0)
    return undefined;
  const patterns = query.map((uri) => (typeof uri === 'string' ? parseUri(uri) : undefined));
  return patterns.every((pattern) => pattern !== undefined) ? { patterns, subscribe } : undefined;
}
