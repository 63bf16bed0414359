/**
 * Nodes that are reached by SSH, behind the interface of PXP agents: it runs requests and answers status queries.
 *
 * Actions are remembered in memory only. After a restart a status query for an earlier action is answered with `unknown`, and the action
 * is not started again.
 */

import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { AgentConnection, AgentLink, AgentListener } from '../agent-link.ts';
import { queryType, requestType } from '../jobs/agent-answer.ts';
import type { OutputStream } from '../jobs/node-output.ts';
import type { Connections } from './connections.ts';
import type { Downloads } from './downloads.ts';
import { type CollectedFiles, type FileReference, programFor, UnsupportedRequest } from './remote-program.ts';
import { runSession, type SessionOptions, type SessionOrder, type SessionOutcome } from './ssh-session.ts';

export interface SshLinkOptions extends SessionOptions {
  readonly connections: Connections;
  readonly readFile: (uri: FileReference['uri']) => Promise<Buffer>;
  readonly downloads: Downloads;
  /** A new UUID. */
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly log: Logger;
}

interface Action {
  readonly transactionId: string;
  readonly certname: string;
  readonly written: { readonly stream: OutputStream; readonly offset: number; readonly text: string }[];
  readonly bytes: Record<OutputStream, number>;
  isFollowed: boolean;
  /** Once it is over. */
  answer?: { readonly messageType: string; readonly data: JsonObject };
}

interface Request {
  readonly transaction_id: string;
  readonly module: string;
  readonly action: string;
  readonly params: Readonly<Record<string, Json>>;
}

const prefix = 'http://puppetlabs.com/';
/** Results are asked for within minutes, if at all. */
const rememberMs = 3_600_000;
/** Of the output that is passed on while it runs; the result has all. */
const mostFollowedBytes = 256 * 1024;

export class SshLink implements AgentLink {
  private readonly options: SshLinkOptions;
  private readonly actions = new Map<string, Action>();
  private readonly closing = new AbortController();
  private readonly since: Date;
  private listener: AgentListener | undefined;

  constructor(options: SshLinkOptions) {
    this.options = options;
    this.since = new Date(options.nowMs());
  }

  connection(certname: string): AgentConnection | undefined {
    const found = this.options.connections.find(certname);
    if (found === undefined) return undefined;
    const { hostname, port } = found.parameters;
    return { broker: `ssh://${hostname ?? certname}:${port}`, since: this.since };
  }

  *connections(): Iterable<AgentConnection & { readonly certname: string }> {
    for (const { certname } of this.options.connections.all()) {
      const connection = this.connection(certname);
      if (connection !== undefined) yield { certname, ...connection };
    }
  }

  expectedUntil(): undefined {
    return undefined;
  }

  send(certname: string, messageType: string, data: Json): Promise<'sent' | 'not-connected'> {
    const request = data as unknown as Request;
    // What has begun goes on without its entry, and is still known.
    if (messageType === queryType) this.asked(certname, request);
    else if (this.connection(certname) === undefined) return Promise.resolve('not-connected');
    else if (messageType === requestType) this.begin(certname, request);
    return Promise.resolve('sent');
  }

  listen(listener: AgentListener): () => void {
    this.listener = listener;
    const endWatching = this.options.connections.watch((certname, isThere) => {
      if (isThere) listener.connected(certname, this.connection(certname)?.broker ?? '');
      else listener.lost(certname);
    });
    return () => {
      this.listener = undefined;
      endWatching();
    };
  }

  /** Ends connections; what runs on nodes may go on. */
  close(): void {
    this.closing.abort();
  }

  private begin(certname: string, request: Request): void {
    const { transaction_id: transactionId } = request;
    this.say(certname, 'rpc_provisional_response', { transaction_id: transactionId });
    if (this.actions.has(transactionId)) return;
    const action: Action = {
      transactionId,
      certname,
      written: [],
      bytes: { stdout: 0, stderr: 0 },
      isFollowed: false,
    };
    this.actions.set(transactionId, action);
    void this.carryOut(action, request);
  }

  private async carryOut(action: Action, request: Request): Promise<void> {
    const { certname, transactionId } = action;
    const outcome = await this.run(action, request).catch((err: unknown): SessionOutcome => {
      this.options.log.error({ err, certname }, 'an action by SSH failed unexpectedly');
      return { kind: 'unknown', reason: String(err) };
    });
    const isPuppetRun = request.module === 'pxp-module-puppet';
    const data = { transaction_id: transactionId, ...answerOf(outcome, isPuppetRun, transactionId) };
    const messageType = outcome.kind === 'ended' ? 'rpc_non_blocking_response' : 'rpc_error_message';
    action.answer = { messageType, data };
    this.say(certname, messageType, data);
    setTimeout(() => this.actions.delete(transactionId), rememberMs).unref();
  }

  private async run(action: Action, request: Request): Promise<SessionOutcome> {
    const { connections, newId, readFile } = this.options;
    const { certname } = action;
    const connection = connections.find(certname);
    const secrets = await connections.secretsOf(certname);
    if (connection === undefined || secrets === undefined)
      return { kind: 'not-run', reason: `the credentials for ${certname} cannot be read` };
    const nonce = newId();
    const directory = `${connection.parameters.directory}/bunraku-${nonce}`;
    try {
      const program = await programFor(request, { readFile, directory });
      const wrote = (stream: OutputStream, text: string) => this.wrote(action, stream, text);
      const { signal } = this.closing;
      const order = { connection, secrets, program, directory, nonce, signal, wrote };
      if (program.collects !== undefined) return await this.collect(program.collects, order);
      return await runSession(this.options, order);
    } catch (error) {
      if (error instanceof UnsupportedRequest) return { kind: 'not-run', reason: error.message };
      throw error;
    }
  }

  private async collect(what: CollectedFiles, order: SessionOrder): Promise<SessionOutcome> {
    const { certname, parameters } = order.connection;
    const host = parameters.hostname ?? certname;
    const download = await this.options.downloads.begin({ what, certname, host });
    try {
      const outcome = await runSession(this.options, {
        ...order,
        receive: (child) => download.receive(child),
      });
      return await download.settle(outcome);
    } finally {
      await download.discard();
    }
  }

  private wrote(action: Action, stream: OutputStream, text: string): void {
    const offset = action.bytes[stream];
    if (offset >= mostFollowedBytes) return;
    action.bytes[stream] += Buffer.byteLength(text);
    action.written.push({ stream, offset, text });
    if (action.isFollowed) this.sayOutput(action, { stream, offset, text });
  }

  private sayOutput({ certname, transactionId }: Action, piece: Action['written'][number]): void {
    this.say(certname, 'rpc_action_output', { transaction_id: transactionId, ...piece });
  }

  private asked(certname: string, { module, params, transaction_id: queryId }: Request): void {
    const transactionId = String(params['transaction_id']);
    const action = this.actions.get(transactionId);
    if (module === 'output' && action !== undefined) {
      action.isFollowed = true;
      for (const piece of action.written) this.sayOutput(action, piece);
    }
    if (module !== 'status') return;
    if (action?.answer !== undefined) {
      this.say(certname, action.answer.messageType, action.answer.data);
      return;
    }
    const status =
      action === undefined ? { status: 'unknown', stdout: JSON.stringify(forgotten) } : { status: 'running' };
    this.say(certname, 'rpc_blocking_response', {
      transaction_id: queryId,
      results: { transaction_id: transactionId, ...status },
    });
  }

  private say(certname: string, kind: string, data: JsonObject): void {
    const message = { id: this.options.newId(), messageType: `${prefix}${kind}`, data };
    setImmediate(() => this.listener?.message(certname, message));
  }
}

const forgotten = {
  _error: {
    kind: 'puppetlabs.orchestrator/unknown-outcome',
    details: {},
    msg: 'it is unknown whether it ran: this server was restarted, and what runs by SSH cannot be asked for',
  },
};

function answerOf(outcome: SessionOutcome, isPuppetRun: boolean, id: string): JsonObject {
  switch (outcome.kind) {
    case 'ended':
      return { results: isPuppetRun ? puppetResults(outcome) : processResults(outcome) };
    case 'not-run':
      return { id, description: outcome.reason };
    case 'unknown':
      return { id, description: `it is unknown whether it ran to its end: ${outcome.reason}` };
    default:
      return outcome satisfies never;
  }
}

type Ended = Extract<SessionOutcome, { readonly kind: 'ended' }>;

function processResults({ exitCode, stderr, stdout }: Ended): JsonObject {
  return { exitcode: exitCode, stdout, stderr };
}

/** By the detailed exit codes of `puppet agent`; without a report nothing ran. */
function puppetResults({ details, exitCode, stderr, stdout }: Ended): JsonObject {
  const [transactionUuid, environment] = details.split(' ');
  const said = `${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '';
  if (transactionUuid === undefined || transactionUuid === '')
    return { status: 'unknown', exitcode: exitCode, error: said === '' ? 'Puppet could not be run' : said };
  const hasFailed = exitCode !== 0 && exitCode !== 2;
  return {
    status: hasFailed ? 'failed' : exitCode === 2 ? 'changed' : 'unchanged',
    // As that of a run whose resources failed.
    exitcode: exitCode === 1 ? 1 : 0,
    transaction_uuid: transactionUuid,
    ...(environment === undefined || environment === '' ? {} : { environment }),
    ...(exitCode === 1 ? { error: said } : {}),
  };
}
