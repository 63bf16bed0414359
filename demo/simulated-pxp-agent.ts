/** The PXP agent of a simulated node: it connects to a broker as a real one does; what it does is told from outside. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialWebSocket, type WebSocketConnection } from '../src/platform/websocket/index.ts';

interface Request {
  readonly transaction_id: string;
  readonly module: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Envelope {
  readonly message_type: string;
  readonly sender: string;
  readonly data: Request & { readonly params: { readonly transaction_id?: string } };
}

interface SimulatedPxpAgentOptions {
  readonly certname: string;
  /** Of an agent that has its certificate. */
  readonly sslDirectory: string;
  /** `wss://localhost:8142/pcp2/agent` */
  readonly broker: string;
  /** Called when the connection has ended. */
  readonly onClose?: () => void;
}

const prefix = 'http://puppetlabs.com/';

/** Something that the node was asked to do, and does. */
export interface Doing {
  readonly module: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Writes more to its standard output. */
  write(text: string): void;
  end(results: Readonly<Record<string, unknown>>): void;
}

export class SimulatedPxpAgent {
  private readonly certname: string;
  private readonly connection: WebSocketConnection;
  private readonly begun: Doing[] = [];
  private waiting: ((doing: Doing) => void) | undefined;

  private constructor(certname: string, connection: WebSocketConnection) {
    this.certname = certname;
    this.connection = connection;
  }

  static async connect({
    broker,
    certname,
    onClose = () => {},
    sslDirectory,
  }: SimulatedPxpAgentOptions): Promise<SimulatedPxpAgent> {
    const pem = (...names: readonly string[]) => readFileSync(join(sslDirectory, ...names), 'utf8');
    const made = Promise.withResolvers<SimulatedPxpAgent>();
    const connecting = dialWebSocket(
      {
        url: broker,
        ca: pem('certs', 'ca.pem'),
        certificate: pem('certs', `${certname}.pem`),
        privateKey: pem('private_keys', `${certname}.pem`),
        maxMessageBytes: 2 ** 25,
        timeoutMs: 10_000,
        signal: new AbortController().signal,
      },
      (connection) => {
        const node = new SimulatedPxpAgent(certname, connection);
        made.resolve(node);
        return { message: (text) => node.take(JSON.parse(String(text)) as Envelope), closed: onClose };
      },
    );
    await connecting;
    return await made.promise;
  }

  /** The next thing that it is asked to do; it runs from then on. */
  async next(): Promise<Doing> {
    const first = this.begun.shift();
    if (first !== undefined) return first;
    return await new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  /** Calls back with each thing that it is asked to do, for as long as it is connected. */
  async eachDoing(listen: (doing: Doing) => void): Promise<void> {
    for (;;) listen(await this.next());
  }

  /** Brokers end connections that are silent for minutes. */
  ping(): void {
    this.connection.ping();
  }

  close(): void {
    this.connection.cut();
  }

  private take({ data, message_type: type, sender }: Envelope): void {
    if (type === `${prefix}rpc_non_blocking_request`) this.begin(data, sender);
    else if (type === `${prefix}rpc_blocking_request` && data.module === 'status')
      this.send(sender, 'rpc_blocking_response', {
        transaction_id: data.transaction_id,
        results: { transaction_id: data.params.transaction_id, status: 'running' },
      });
  }

  private begin({ module, params, transaction_id: id }: Request, sender: string): void {
    this.send(sender, 'rpc_provisional_response', { transaction_id: id });
    let offset = 0;
    const doing: Doing = {
      module,
      params,
      write: (text) => {
        this.send(sender, 'rpc_action_output', { transaction_id: id, stream: 'stdout', offset, text });
        offset += Buffer.byteLength(text);
      },
      end: (results) => this.send(sender, 'rpc_non_blocking_response', { transaction_id: id, results }),
    };
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting === undefined) this.begun.push(doing);
    else waiting(doing);
  }

  private send(target: string, kind: string, data: object): void {
    const sender = `pcp://${this.certname}/agent`;
    this.connection.send(
      JSON.stringify({ id: randomUUID(), message_type: prefix + kind, target, sender, data }),
    );
  }
}
