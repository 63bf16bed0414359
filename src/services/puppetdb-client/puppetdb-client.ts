/** A PuppetDB over HTTPS, ours or a real one, as the reference's terminus uses it. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../lib/service-error.ts';
import { NoServer, type PuppetDbResponse, ServerList, type ServerListOptions } from './server-list.ts';
import { factsFailure, resourcesFailure, statusText, terminusPaths } from './terminus-words.ts';

export interface OutgoingCommand {
  /** `replace_facts` */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly producerTimestamp: Date;
  /** JSON, UTF-8. */
  readonly payload: Uint8Array;
}

const compressed = promisify(gzip);
const accept = { accept: 'application/json' };

export class PuppetDbClient {
  private readonly servers: ServerList;

  constructor(options: ServerListOptions) {
    this.servers = new ServerList(options);
  }

  /**
   * Resources that fit a query, as JSON text.
   *
   * @param query - JSON of the AST
   * @throws ServiceError in the words of the reference's collectors
   */
  readonly findResources = async (query: string, signal: AbortSignal): Promise<string> => {
    const path = terminusPaths.resources(query);
    let answer: PuppetDbResponse;
    try {
      answer = await this.servers.ask({ method: 'GET', path, headers: accept, signal });
    } catch (error) {
      if (error instanceof NoServer) throw resourcesFailure(error.origin, error.message);
      throw error;
    }
    if (isSuccess(answer)) return answer.text;
    throw resourcesFailure(answer.origin, statusText(answer));
  };

  /**
   * Rows, as JSON text; what PuppetDB says of a wrong query is text that is no JSON.
   *
   * @param query - JSON of a string in PQL, or of the AST
   * @throws ServiceError in the reference's words when no server answers
   */
  readonly query = async (query: string, signal: AbortSignal): Promise<string> => {
    const { text } = await this.servers.ask({
      method: 'POST',
      path: terminusPaths.query,
      headers: { ...accept, 'content-type': 'application/json; charset=UTF-8' },
      body: `{"query":${query}}`,
      signal,
    });
    return text;
  };

  /**
   * The facts of a node as JSON text: a list of objects with `name` and `value`.
   *
   * @returns `undefined` when PuppetDB does not know the node
   * @throws ServiceError in the reference's words
   */
  async findFacts(certname: string, signal: AbortSignal): Promise<string | undefined> {
    const path = terminusPaths.facts(certname);
    const answer = await this.servers
      .ask({ method: 'GET', path, headers: accept, signal })
      .catch((error: unknown) => {
        if (!(error instanceof NoServer)) throw error;
        if (error.reason === 'not-found') return undefined;
        throw factsFailure(error.message);
      });
    if (answer === undefined || isSuccess(answer)) return answer?.text;
    throw factsFailure(statusText(answer));
  }

  /**
   * Sends a command; the server that accepts it has it on disk. Nothing is lost softly, as `soft_write_failure` would have it:
   * commands wait in an outbox, not in a request of an agent.
   *
   * @throws ServiceError `bad-request` when it will never be taken, `unavailable` when it must be sent again
   */
  async submit(command: OutgoingCommand, signal?: AbortSignal): Promise<void> {
    const answer = await this.servers.submit({
      method: 'POST',
      path: `/pdb/cmd/v1?${parametersOf(command)}`,
      headers: {
        ...accept,
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'gzip',
        'x-uncompressed-length': String(command.payload.byteLength),
      },
      body: await compressed(command.payload),
      ...(signal === undefined ? {} : { signal }),
    });
    if (isSuccess(answer)) return;
    const isFinal = answer.status === 400 || answer.status === 413;
    throw new ServiceError(isFinal ? 'bad-request' : 'unavailable', statusText(answer));
  }
}

function isSuccess({ status }: PuppetDbResponse): boolean {
  return status >= 200 && status < 300;
}

function parametersOf({ certname, command, payload, producerTimestamp, version }: OutgoingCommand): string {
  return new URLSearchParams({
    checksum: createHash('sha1').update(payload).digest('hex'),
    version: String(version),
    certname,
    command,
    'producer-timestamp': producerTimestamp.toISOString(),
  }).toString();
}
