/**
 * The server's side of the signing process: starts it or connects to it, again when it has ended, and gives the authority a
 * signer whose key is not in this process.
 */

import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { type Signer, X509Error } from '../../../platform/x509/index.ts';
import {
  answerKinds,
  encodeFrame,
  encodeRenewal,
  type Frame,
  readFrames,
  requestKinds,
  type SignerDescription,
} from './frames.ts';

export interface SigningProcessOptions {
  readonly caDir: string;
  /** The file of the process; it is started as a child. */
  readonly workerUrl: URL;
  /** Of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The socket of one that runs as another user: then none is started. */
  readonly socketPath?: string | undefined;
  readonly log: Logger;
}

/** 49 MiB resident; what it keeps is the key, and lists of revoked certificates while it signs them. */
const smallNode = ['--max-semi-space-size=1', '--max-old-space-size=256', '--single-threaded'];
/** The other unit may be starting. */
const connectAttempts = 40;
const retryMs = 250;

interface Waiting {
  resolve(content: Buffer): void;
  reject(error: unknown): void;
}

interface Connection {
  readonly socket: Socket;
  readonly waiting: Map<number, Waiting>;
}

export class SigningProcess {
  private readonly options: SigningProcessOptions;
  private connection: Promise<Connection> | undefined;
  private open: Connection | undefined;
  private lastId = 0;
  private reportedUid: number | undefined;
  private isClosed = false;
  /** How often it has ended by itself. */
  private ends = 0;

  /** Begins to start it, without waiting for it. */
  constructor(options: SigningProcessOptions) {
    this.options = options;
    this.connect().catch(() => {
      // The first signature starts it again, and gets the error.
    });
  }

  get restarts(): number {
    return this.ends;
  }

  /** The user that has the key; `undefined` while a process elsewhere has not said it. */
  get uid(): number | undefined {
    return this.isElsewhere ? this.reportedUid : process.getuid?.();
  }

  /** What it has been asked to sign and has not signed yet. */
  get pending(): number {
    return this.open?.waiting.size ?? 0;
  }

  get isElsewhere(): boolean {
    return this.options.socketPath !== undefined;
  }

  /** @throws ServiceError `unavailable` when it cannot be reached, `conflict` when it has no usable key */
  async describe(): Promise<SignerDescription> {
    const content = await this.ask(requestKinds.describe, Buffer.alloc(0));
    const description = JSON.parse(content.toString('utf8')) as SignerDescription;
    this.reportedUid = description.uid;
    return description;
  }

  /** @param key - what certificates and lists say of the key with which the process signs */
  signer(key: Pick<Signer, 'algorithm' | 'publicKeyInfo'>): Signer {
    return {
      publicKeyInfo: key.publicKeyInfo,
      algorithm: key.algorithm,
      sign: (data, replaced) =>
        replaced === undefined
          ? this.ask(requestKinds.sign, data)
          : this.ask(requestKinds.renew, encodeRenewal(data, replaced)),
    };
  }

  /** Ends a process that was started. */
  close(): void {
    this.isClosed = true;
    this.open?.socket.destroy();
  }

  private async ask(kind: number, content: Buffer): Promise<Buffer> {
    const { socket, waiting } = await this.connect();
    this.lastId = (this.lastId + 1) % 2 ** 32;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // A server that waits for a signature does not end before it has it.
      socket.ref();
      socket.write(encodeFrame({ id, kind, content }));
    });
  }

  private connect(): Promise<Connection> {
    this.connection ??= this.reach().then(
      (socket) => this.attach(socket),
      (cause: unknown) => {
        this.connection = undefined;
        throw unavailable(`cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`);
      },
    );
    return this.connection;
  }

  private async reach(): Promise<Socket> {
    const { socketPath } = this.options;
    if (this.isClosed) throw new Error('the server is stopping');
    if (socketPath === undefined) return this.start();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await connected(socketPath);
      } catch (error) {
        if (attempt === connectAttempts || this.isClosed) throw error;
        await sleep(retryMs);
      }
    }
  }

  private start(): Socket {
    const { caDir, environment, workerUrl } = this.options;
    const child = spawn(process.execPath, [...smallNode, fileURLToPath(workerUrl), caDir], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    child.on('error', (err) => this.options.log.error({ err }, 'could not start the signing process'));
    child.unref();
    return child.stdio[3] as Socket;
  }

  private attach(socket: Socket): Connection {
    const connection: Connection = { socket, waiting: new Map() };
    this.open = connection;
    socket.unref();
    readFrames(socket, (frame) => settle(connection, frame));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.ended(connection));
    return connection;
  }

  private ended({ waiting }: Connection): void {
    this.connection = undefined;
    this.open = undefined;
    for (const { reject } of waiting.values())
      reject(unavailable('ended while it signed. Nothing was signed: try again'));
    if (this.isClosed) return;
    this.ends += 1;
    this.options.log.error({ restarts: this.ends }, 'signing process of the CA has ended: starting it again');
    // One that ends at once is not started in a row; who wants a signature does not wait for this.
    const again = setTimeout(() => {
      if (!this.isClosed) this.connect().catch(() => {});
    }, retryMs);
    again.unref();
  }
}

function settle({ socket, waiting }: Connection, { content, id, kind }: Frame): void {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (waiting.size === 0) socket.unref();
  if (kind === answerKinds.done) asked?.resolve(content);
  else if (kind === answerKinds.refused)
    asked?.reject(new ServiceError('conflict', content.toString('utf8'), { kind: 'puppet-ca/lint' }));
  else asked?.reject(new X509Error(`The signing process failed: ${content.toString('utf8')}`));
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function unavailable(problem: string): ServiceError {
  return new ServiceError('unavailable', `The signing process of the certificate authority ${problem}`, {
    kind: 'puppet-ca/signer',
  });
}
