/** Decides what is compiled: whose facts, which classification, which environment at which version. */

import type { Json, TrustedFacts } from '../../language/evaluator/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Identity } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { LayerTally } from './layer-times.ts';
import { renderNode } from './node-object.ts';
import { commonChecksumType, type StaticCatalogs } from './static-catalog.ts';
import type {
  AcquiredCode,
  CodeTerminus,
  FactsTerminus,
  Node,
  NodeFacts,
  NodeRequest,
  NodeTerminus,
  TrustedExternalTerminus,
} from './termini.ts';
import type { CatalogRequest } from './wire.ts';
import type { Compiled, WorkerPool } from './worker-pool.ts';
import type { CompileLogLine } from './worker-protocol.ts';

export interface CompileServiceOptions {
  readonly pool: WorkerPool;
  readonly code: CodeTerminus;
  readonly facts: FactsTerminus;
  readonly nodes: NodeTerminus;
  readonly staticCatalogs: StaticCatalogs;
  readonly trustedExternal: TrustedExternalTerminus;
  readonly log: Logger;
  /** `$server_facts`, without the environment. */
  readonly serverFacts: Readonly<Record<string, Json>>;
  /** What nodes get whose environment does not exist: the setting `environment`. */
  readonly defaultEnvironment: string;
  /** Where environments are, as their users know it: for messages. */
  readonly environmentPath: string;
  /** Told of each compile, for metrics. */
  readonly observe?: (outcome: 'compiled' | 'failed', durationMs: number) => void;
  /** Told who served what a compile asked of Ruby. */
  readonly observeLayers?: (layers: readonly LayerTally[]) => void;
}

export interface ServedCatalog {
  /** UTF-8. */
  readonly body: Uint8Array;
  readonly environment: string;
  readonly codeId: string | null;
  /** The worker's time; absent where nothing was compiled. */
  readonly compileMs?: number;
  readonly resources?: number;
}

export class CompileService {
  private readonly options: CompileServiceOptions;

  constructor(options: CompileServiceOptions) {
    this.options = options;
  }

  /**
   * @throws ServiceError `compile-failed` with Puppet's message, `bad-request`, `not-found`, `unavailable`
   */
  async compile(
    certname: string,
    request: CatalogRequest,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<ServedCatalog> {
    const facts = await this.factsOf(certname, request, signal);
    const trusted = this.trustedFacts(certname, identity, signal);
    // Waited for below; where the classifier fails, that is what is told.
    trusted.catch(() => undefined);
    const node = await this.findForCompile({ certname, environment: request.environment, facts }, signal);
    const code = this.acquire(node, request.environment, certname);
    try {
      const proven = await trusted;
      const environment = code.source.config.name;
      if (request.checksEnvironment && environment !== request.environment && node.environment !== undefined)
        return { body: emptyCatalog(certname, environment), environment, codeId: null };
      const checksumType = checksumTypeOf(request, code);
      const compiled = await this.run(certname, request, proven, { facts, node, code, checksumType, signal });
      const { durationMs: compileMs, resources } = compiled;
      const body = await this.withMetadata(certname, compiled, code, checksumType);
      return { body, environment, codeId: code.source.config.codeId, compileMs, resources };
    } finally {
      code.release();
    }
  }

  /**
   * The node object of `GET /puppet/v3/node`, as JSON.
   *
   * @throws ServiceError `not-found`, `compile-failed` when the classifier fails
   */
  async findNode(certname: string, environment: string, signal: AbortSignal): Promise<string> {
    const facts = await this.options.facts.find(certname, signal);
    const node = await this.options.nodes.find({ certname, environment, facts }, signal);
    if (node === undefined) {
      const kind = 'RESOURCE_NOT_FOUND';
      throw new ServiceError('not-found', `Could not find node ${certname}`, { kind });
    }
    const name = node.environment ?? environment;
    const code = this.options.code.acquire(name);
    if (code === undefined) throw this.missingEnvironment(name, node.environment !== undefined);
    code.release();
    return renderNode(certname, name, node, facts);
  }

  private async factsOf(
    certname: string,
    request: CatalogRequest,
    signal: AbortSignal,
  ): Promise<NodeFacts | undefined> {
    if (request.facts === undefined) return this.options.facts.find(certname, signal);
    const facts = this.options.facts.decode(request.facts.text, request.facts.format, certname);
    await this.options.facts.save(facts, request.environment);
    return facts;
  }

  /** @throws ServiceError `compile-failed` in the reference's words, whatever goes wrong */
  private async findForCompile(request: NodeRequest, signal: AbortSignal): Promise<Node> {
    const { certname } = request;
    const node = await this.options.nodes.find(request, signal).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      throw searchFailed(certname, error);
    });
    if (node !== undefined) return node;
    throw new ServiceError('compile-failed', `Could not find node '${certname}'; cannot compile`);
  }

  private acquire(node: Node, requested: string, certname: string): AcquiredCode {
    const { code, defaultEnvironment } = this.options;
    const wanted = node.environment ?? requested;
    const acquired = code.acquire(wanted);
    if (acquired !== undefined) return acquired;
    if (node.environment !== undefined) throw searchFailed(certname, this.missingEnvironment(wanted, true));
    const standIn = code.acquire(defaultEnvironment);
    if (standIn !== undefined) return standIn;
    throw new ServiceError('compile-failed', `Could not find environment '${wanted}' on node ${certname}`);
  }

  /** A classifier that names an environment that is not there has failed; a request that does is answered with 404. */
  private missingEnvironment(name: string, isClassified: boolean): ServiceError {
    if (!isClassified)
      return new ServiceError('not-found', `Could not find environment '${name}'`, { kind: 'RUNTIME_ERROR' });
    return new ServiceError(
      'compile-failed',
      `Could not find a directory environment named '${name}' anywhere in the path: ` +
        `${this.options.environmentPath}. Does the directory exist?`,
    );
  }

  private async trustedFacts(
    certname: string,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<TrustedFacts> {
    const proven = identity.kind === 'anonymous' ? undefined : identity;
    return {
      authenticated: proven === undefined ? false : 'remote',
      certname: proven?.certname ?? certname,
      extensions: proven?.extensions ?? {},
      external: await this.options.trustedExternal.find(proven?.certname ?? certname, signal),
    };
  }

  private async run(
    certname: string,
    request: CatalogRequest,
    trusted: TrustedFacts,
    found: {
      readonly facts: NodeFacts | undefined;
      readonly node: Node;
      readonly code: AcquiredCode;
      readonly checksumType: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<Compiled> {
    const { observe, observeLayers, pool } = this.options;
    const { source } = found.code;
    const environment = source.config.name;
    const began = performance.now();
    try {
      const job = {
        certname,
        facts: found.facts?.exactValues ?? found.facts?.values ?? {},
        trusted,
        serverFacts: { ...this.options.serverFacts, environment },
        node: found.node.exact ?? found.node,
        format: request.format,
        listsSourcedFiles: found.checksumType !== undefined,
        ...(request.transactionUuid === undefined ? {} : { transactionUuid: request.transactionUuid }),
      };
      const compiled = await pool.compile(source, job, found.signal);
      for (const line of compiled.logs) this.logMessage(certname, environment, line);
      observe?.('compiled', performance.now() - began);
      if (compiled.layers.length > 0) observeLayers?.(compiled.layers);
      return compiled;
    } catch (error) {
      observe?.('failed', performance.now() - began);
      if (error instanceof ServiceError)
        for (const line of linesOf(error.details['logs'])) this.logMessage(certname, environment, line);
      throw error;
    }
  }

  /** @param checksumType - absent when the catalog is none of the static kind */
  private async withMetadata(
    certname: string,
    { catalog, sourcedFiles: files }: Compiled,
    { source: { config } }: AcquiredCode,
    checksumType: string | undefined,
  ): Promise<Uint8Array> {
    if (checksumType === undefined || files.length === 0) return catalog;
    return await this.options.staticCatalogs.inline({ certname, catalog, files, config, checksumType });
  }

  private logMessage(certname: string, environment: string, line: CompileLogLine) {
    const fields = { certname, environment, text: line.message, level: line.level };
    if (line.level === 'debug') this.options.log.debug(fields, 'message of the manifest');
    else if (line.level === 'info' || line.level === 'notice')
      this.options.log.info(fields, 'message of the manifest');
    else this.options.log.warn(fields, 'message of the manifest');
  }
}

/** @returns `undefined` unless the agent wants a static catalog, and there is a version to make one of */
function checksumTypeOf(
  { staticCatalog }: CatalogRequest,
  { hasStaticCatalogs, source }: AcquiredCode,
): string | undefined {
  if (staticCatalog === undefined || !hasStaticCatalogs || source.config.codeId === null) return undefined;
  return commonChecksumType(staticCatalog.checksumTypes);
}

/** What the manifests logged until they failed. */
function linesOf(logs: unknown): readonly CompileLogLine[] {
  return Array.isArray(logs) ? logs : [];
}

function searchFailed(certname: string, error: ServiceError): ServiceError {
  const message = `Failed when searching for node ${certname}: ${error.message}`;
  return new ServiceError('compile-failed', message, { cause: error });
}

/** What an agent gets that asked for the wrong environment: it starts again with the right one. */
function emptyCatalog(certname: string, environment: string): Uint8Array {
  const catalog = {
    tags: [],
    name: certname,
    version: null,
    code_id: null,
    catalog_uuid: crypto.randomUUID(),
    catalog_format: 2,
    environment,
    resources: [],
    edges: [],
    classes: [],
  };
  return new TextEncoder().encode(JSON.stringify(catalog));
}
