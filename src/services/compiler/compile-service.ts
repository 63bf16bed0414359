/** Decides what is compiled: whose facts, which classification, which environment at which version. */

import type { TrustedFacts } from '../../language/evaluator/index.ts';
import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Identity } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { CatalogKeeper, type CatalogRun } from './catalog-keeper.ts';
import type { LayerTally } from './layer-times.ts';
import { withClassSource } from './missing-class.ts';
import { renderNode } from './node-object.ts';
import type { Compiled, PoolCompiled, WorkerPool } from './pool/index.ts';
import { commonChecksumType, type StaticCatalogs } from './static-catalog.ts';
import type {
  AcquiredCode,
  CatalogTerminus,
  CodeTerminus,
  FactsTerminus,
  Node,
  NodeFacts,
  NodeRequest,
  NodeTerminus,
  TrustedExternalTerminus,
} from './termini.ts';
import { versionFacts } from './version-facts.ts';
import type { CatalogRequest } from './wire.ts';
import type { CompileJob, CompileLogLine, KeptCatalog } from './worker-protocol.ts';

export interface CompileServiceOptions {
  readonly pool: WorkerPool;
  readonly code: CodeTerminus;
  readonly facts: FactsTerminus;
  /** Absent where catalogs are not kept. */
  readonly catalogs?: CatalogTerminus | undefined;
  readonly nodes: NodeTerminus;
  readonly staticCatalogs: StaticCatalogs;
  readonly trustedExternal: TrustedExternalTerminus;
  readonly log: Logger;
  /** `$server_facts`, without the environment and what the language level says of the server's version. */
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
  private readonly keeper: CatalogKeeper | undefined;

  constructor(options: CompileServiceOptions) {
    this.options = options;
    const { catalogs, log } = options;
    this.keeper = catalogs && new CatalogKeeper(catalogs, log);
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
    const trusted = this.trustedFacts(certname, identity, signal);
    // Waited for below; where the classifier fails, that is what is told.
    trusted.catch(() => undefined);
    const { facts, saved } = await this.factsOf(certname, request, trusted, signal);
    const [catalog, keptFacts] = await Promise.allSettled([
      this.serve(certname, request, { facts, trusted }, signal),
      // Once the agent is answered they can't be lost; until then they were on their way while it compiled.
      saved,
    ]);
    if (catalog.status === 'rejected') throw catalog.reason;
    if (keptFacts.status === 'rejected') throw keptFacts.reason;
    return catalog.value;
  }

  private async serve(
    certname: string,
    request: CatalogRequest,
    { facts, trusted }: { readonly facts: NodeFacts | undefined; readonly trusted: Promise<TrustedFacts> },
    signal: AbortSignal,
  ): Promise<ServedCatalog> {
    const known = this.keeper?.findContent(certname);
    const { environment: asked, transactionUuid } = request;
    const ofRun = transactionUuid === undefined ? {} : { transactionUuid };
    const question = { certname, environment: asked, facts, trusted: () => trusted, ...ofRun };
    const node = await this.findForCompile(question, signal);
    const code = this.acquire(node, request.environment, certname);
    try {
      const proven = await trusted;
      const environment = code.source.config.name;
      const run = runOf(certname, request);
      if (isElsewhere(request, environment, node)) {
        const catalogUuid = crypto.randomUUID();
        this.keeper?.keep(run, Promise.resolve({ ...nothingKept, catalogUuid }));
        return { body: emptyCatalog(certname, environment, catalogUuid), environment, codeId: null };
      }
      const checksumType = checksumTypeOf(request, code);
      const found = { facts, node, code, checksumType, knownContent: await known, signal };
      const compiled = await this.run(certname, request, proven, found);
      this.keeper?.keep(run, compiled.kept);
      const { durationMs: compileMs, resources } = compiled;
      const body = await this.withMetadata(certname, compiled, code, checksumType);
      return { body, environment, codeId: code.source.config.codeId, compileMs, resources };
    } finally {
      code.release();
    }
  }

  /** Waits until what was compiled is kept. */
  async settled(): Promise<void> {
    await this.keeper?.settled();
  }

  /**
   * The node object of `GET /puppet/v3/node`, as JSON.
   *
   * @throws ServiceError `not-found`, `compile-failed` when the classifier fails
   */
  async findNode(
    certname: string,
    environment: string,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<string> {
    const facts = await this.options.facts.find(certname, signal).catch(noneWhileAway);
    const trusted = () => this.trustedFacts(certname, identity, signal);
    const node = await this.options.nodes.find({ certname, environment, facts, trusted }, signal);
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
    trusted: Promise<TrustedFacts>,
    signal: AbortSignal,
  ): Promise<{ readonly facts: NodeFacts | undefined; readonly saved: Promise<void> }> {
    const { facts: terminus } = this.options;
    if (request.facts === undefined)
      return { facts: await terminus.find(certname, signal), saved: Promise.resolve() };
    const { facts: sent } = request;
    const facts = 'read' in sent ? sent.read() : terminus.decode(sent.text, sent.format, certname);
    const saved = trusted.then((proven) => terminus.save(facts, request.environment, proven));
    // Waited for before the agent is answered; where something else fails first, that is what is told.
    saved.catch(() => undefined);
    return { facts, saved };
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
    const proven = identity.kind === 'certificate' ? identity : undefined;
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
      readonly knownContent: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<PoolCompiled> {
    const { observe, observeLayers, pool } = this.options;
    const { source } = found.code;
    const environment = source.config.name;
    const began = performance.now();
    try {
      const job = {
        certname,
        facts: found.facts?.exactValues ?? found.facts?.values ?? {},
        trusted,
        serverFacts: { ...versionFacts(source.config.settings), ...this.options.serverFacts, environment },
        node: found.node.exact ?? found.node,
        format: request.format,
        listsSourcedFiles: found.checksumType !== undefined,
        ...(this.keeper === undefined ? {} : { keeping: { knownContent: found.knownContent } }),
        ...leastLevel(this.options.log),
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
      throw withClassSource(error, found.node);
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
    const fields = { certname, environment, text: line.message, messageLevel: line.level };
    if (line.level === 'debug') this.options.log.debug(fields, 'message of the manifest');
    else if (line.level === 'info' || line.level === 'notice')
      this.options.log.info(fields, 'message of the manifest');
    else this.options.log.warn(fields, 'message of the manifest');
  }
}

/** Only the log lines that are written need come from the worker. The level may change at any time. */
function leastLevel(log: Logger): Pick<CompileJob, 'leastLevel'> {
  if (log.isWriting('debug')) return {};
  return { leastLevel: log.isWriting('info') ? 'info' : 'warning' };
}

/** @returns `undefined` unless the agent wants a static catalog, and there is a version to make one of */
function checksumTypeOf(
  { staticCatalog }: CatalogRequest,
  { hasStaticCatalogs, source }: AcquiredCode,
): string | undefined {
  if (staticCatalog === undefined || !hasStaticCatalogs || source.config.codeId === null) return undefined;
  return commonChecksumType(staticCatalog.checksumTypes);
}

/** Agents of old ask for their node first, and send their facts with the next request. */
function noneWhileAway(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.reason !== 'unavailable') throw error;
}

/** What the manifests logged until they failed. */
function linesOf(logs: unknown): readonly CompileLogLine[] {
  return Array.isArray(logs) ? logs : [];
}

function searchFailed(certname: string, error: ServiceError): ServiceError {
  const message = `Failed when searching for node ${certname}: ${error.message}`;
  return new ServiceError('compile-failed', message, { cause: error });
}

/** The classifier has put the node into another environment than it asked for, and it wants to know. */
function isElsewhere(request: CatalogRequest, environment: string, node: Node): boolean {
  return request.checksEnvironment && environment !== request.environment && node.environment !== undefined;
}

function runOf(certname: string, { environment, jobId, transactionUuid }: CatalogRequest): CatalogRun {
  return { certname, environment, jobId: jobId ?? null, transactionUuid: transactionUuid ?? null };
}

/** What is kept of an empty catalog. */
const nothingKept: Omit<KeptCatalog, 'catalogUuid'> = {
  version: '',
  codeId: null,
  contentId: 'nothing',
  content: '"resources":[],"edges":[]',
};

/** What an agent gets that asked for the wrong environment: it starts again with the right one. */
function emptyCatalog(certname: string, environment: string, catalogUuid: string): Uint8Array {
  const catalog = {
    tags: [],
    name: certname,
    version: null,
    code_id: null,
    catalog_uuid: catalogUuid,
    catalog_format: 2,
    environment,
    resources: [],
    edges: [],
    classes: [],
  };
  return new TextEncoder().encode(JSON.stringify(catalog));
}
