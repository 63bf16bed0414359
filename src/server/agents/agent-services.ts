/** What both roles do for agents: catalogs, files, facts, reports, backups, environments. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Admission, type Gate, type Route } from '../../platform/http/index.ts';
import {
  CompileService,
  compilerRoutes,
  type FactsTerminus,
  type NodeTerminus,
  type PuppetDbTerminus,
  StaticCatalogs,
  type TrustedExternalTerminus,
  WorkerPool,
} from '../../services/compiler/index.ts';
import { EnvironmentRegistry, environmentRoutes } from '../../services/environments/index.ts';
import { decodeFactsField, factsRoutes } from '../../services/facts/index.ts';
import { FileBucket, filebucketRoutes } from '../../services/filebucket/index.ts';
import { FileServer, fileserverRoutes } from '../../services/fileserver/index.ts';
import { CodeVersions, FileSyncClient } from '../../services/filesync/index.ts';
import { logProcessor, ReportService, reportRoutes, storeProcessor } from '../../services/reports/index.ts';
import { type Code, joinCode } from '../code/code.ts';
import { environmentPlaces } from '../code/environment-places.ts';
import { fileMetadata } from '../compiler/file-metadata.ts';
import { environmentDefaults, languageSettings } from '../compiler/language-settings.ts';
import { serverFacts } from '../compiler/server-facts.ts';
import type { Foundation } from '../foundation.ts';
import { factCache } from '../node-data/fact-cache.ts';
import type { NodeData } from '../node-data/node-data.ts';
import { nodeTerminus, trustedExternalTerminus } from '../nodes/node-termini.ts';
import { workerFile } from '../worker-files.ts';

/**
 * How long a catalog may have to wait for a worker: no agent minds, and no load balancer or agent loses its patience.
 * From here on agents are asked to come back.
 */
const maxWaitMs = 10_000;

export interface AgentTermini {
  /** What `node_terminus = classifier` stands for. */
  readonly classifier?: NodeTerminus | undefined;
  /** Puts something between the compiler and the classifier. */
  readonly aroundNodes?: (nodes: NodeTerminus) => NodeTerminus;
  /** The same for what knows of nodes from outside. */
  readonly aroundTrustedExternal?: (external: TrustedExternalTerminus) => TrustedExternalTerminus;
  readonly findFacts: FactsTerminus['find'];
  /** Where facts, catalogs and reports go. */
  readonly data: NodeData;
  /** What code asks while it is compiled. */
  readonly puppetDb?: PuppetDbTerminus | undefined;
}

export interface AgentServices {
  readonly code: Code;
  readonly pool: WorkerPool;
  readonly routes: readonly Route[];
  /** Waits until what was compiled is kept. */
  settled(): Promise<void>;
}

export function createAgentServices(foundation: Foundation, termini: AgentTermini): AgentServices {
  const { log, settings } = foundation;
  const pool = new WorkerPool({
    workers: settings.compileWorkers === 0 ? availableParallelism() : settings.compileWorkers,
    workerUrl: workerFile('compile-worker'),
    timeoutMs: settings.compileTimeoutSeconds * 1000,
    maxQueued: settings.maxQueuedRequests,
    maxHeapMiB: Math.ceil(settings.compileWorkerHeapBytes / 2 ** 20),
    ruby: settings.ruby,
    rubyTimeoutSeconds: settings.rubyTimeoutSeconds,
    rubyMemoryBytes: settings.rubyMemoryBytes,
    ...(termini.puppetDb === undefined ? {} : { puppetDb: termini.puppetDb }),
    log: log.child({ service: 'compiler' }),
  });
  const environments = new EnvironmentRegistry({
    environmentPath: settings.environmentPath[0] ?? join(settings.codeDir, 'environments'),
    codeDirectory: settings.codeDir,
    places: environmentPlaces(settings),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    staticCatalogs: settings.staticCatalogs,
    language: languageSettings(settings),
    log: log.child({ service: 'environments' }),
    now: Date.now,
  });
  const code = joinCode(new CodeVersions(), environments, pool);
  return { code, pool, ...agentRoutes(foundation, termini, code, pool) };
}

/** The client that keeps the code current; the source differs between the roles. */
export function createFileSyncClient(
  foundation: Foundation,
  code: Code,
  source: ConstructorParameters<typeof FileSyncClient>[0]['source'],
): FileSyncClient {
  const { log, settings } = foundation;
  const places = environmentPlaces(settings);
  const client = new FileSyncClient({
    source,
    versions: code.versions,
    git: foundation.git,
    directory: join(settings.stateDir, 'filesync', 'client'),
    now: Date.now,
    log: log.child({ service: 'file-sync' }),
    pollIntervalMs: settings.pollIntervalSeconds * 1000,
    warm: code.warm,
    linkPath: ({ environment, place }) =>
      join(
        places.find(({ staged }) => `${staged}/${environment}` === place)?.logical ??
          join(settings.codeDir, 'environments'),
        environment,
      ),
    onPruned: code.prune,
  });
  code.attach(client);
  return client;
}

function agentRoutes(
  foundation: Foundation,
  termini: AgentTermini,
  code: Code,
  pool: WorkerPool,
): Pick<AgentServices, 'routes' | 'settled'> {
  const { settings } = foundation;
  const log = foundation.log.child({ service: 'server' });
  const known = { hasEnvironment: (name: string) => code.versions.current(name) !== undefined };
  const files = new FileServer({
    code: code.forFileServer,
    oldCode: code.oldFiles,
    log,
    fileserverConf: settings.fileServerConfig,
    owner: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 },
    now: Date.now,
  });
  const bucket = new FileBucket({
    directory: settings.bucketDir,
    algorithm: settings.digestAlgorithm,
    log,
    now: () => new Date(),
  });
  const reports = new ReportService({
    reports: settings.reports,
    processors: new Map([
      ['log', logProcessor(log)],
      ['puppetdb', termini.data.reports],
      ['store', storeProcessor(settings.reportDir, () => new Date())],
    ]),
    log,
  });
  const program = trustedExternalTerminus(foundation);
  const trustedExternal = termini.aroundTrustedExternal?.(program) ?? program;
  const cache = factCache(settings, log);
  const around = {
    aroundNodes: (nodes: NodeTerminus) => cache.around(termini.aroundNodes?.(nodes) ?? nodes),
  };
  const compiler = createCompileService(
    foundation,
    { ...termini, ...around, trustedExternal },
    code,
    pool,
    files,
  );
  const routes = [
    ...compilerRoutes(compiler, log, catalogGate(foundation, pool)),
    ...environmentRoutes(foundation.settings.environmentPath, code.live),
    ...fileserverRoutes(files, log),
    ...filebucketRoutes(bucket, known, log),
    ...factsRoutes({
      sink: cache.aroundSink(termini.data.facts),
      environments: known,
      trustedExternal,
      log,
    }),
    ...reportRoutes(reports, known, log),
  ];
  return { routes, settled: () => compiler.settled() };
}

function keepsCatalogs({ storeConfigs, storeConfigsBackend }: Foundation['settings']): boolean {
  return storeConfigs && storeConfigsBackend === 'puppetdb';
}

/** Lets in as many catalog requests as will be answered soon. */
function catalogGate({ metrics, settings }: Foundation, pool: WorkerPool): Gate {
  const admission = new Admission({
    places: pool.limit,
    serviceMs: () => pool.meanCompileMs,
    maxWaitMs,
    maxWaiting: settings.maxQueuedRequests,
    maxRetryAfterSeconds: settings.maxRetryDelaySeconds,
    message: 'The maximum number of queued catalog requests has been reached',
    nowMs: () => performance.now(),
    random: Math.random,
  });
  metrics.gauge(
    {
      name: 'bunraku_catalog_requests_put_off',
      help: 'Catalog requests that were asked to come back later.',
    },
    () => admission.requestsRefused,
  );
  return admission;
}

function createCompileService(
  foundation: Foundation,
  termini: AgentTermini & { readonly trustedExternal: TrustedExternalTerminus },
  code: Code,
  pool: WorkerPool,
  files: FileServer,
): CompileService {
  const { log, metrics, settings } = foundation;
  const compiles = metrics.histogram({
    name: 'bunraku_compile_duration_seconds',
    help: 'Time from the decoded request to the catalog, waiting for a worker included.',
    labels: ['outcome'],
  });
  const served = metrics.counter({
    name: 'bunraku_ruby_served_total',
    help: 'Functions, templates and resource types in Ruby that compiles used, by the layer that served them.',
    labels: ['layer', 'kind'],
  });
  const servedSeconds = metrics.counter({
    name: 'bunraku_ruby_served_seconds_total',
    help: 'Time that this took, by layer.',
    labels: ['layer', 'kind'],
  });
  metrics.gauge(
    { name: 'bunraku_compile_queue', help: 'Catalog requests that wait for a worker.' },
    () => pool.queued,
  );
  metrics.gauge(
    { name: 'bunraku_ruby_processes', help: 'Ruby processes of compile workers.' },
    () => pool.rubies,
  );
  const nodes = nodeTerminus(foundation, termini.classifier);
  metrics.gauge({ name: 'bunraku_compile_workers_busy', help: 'Workers that compile.' }, () => pool.busy);
  return new CompileService({
    pool,
    code: code.forCompiler,
    nodes: termini.aroundNodes?.(nodes) ?? nodes,
    staticCatalogs: new StaticCatalogs(fileMetadata(files)),
    trustedExternal: termini.trustedExternal,
    facts: {
      decode: decodeFactsField,
      find: (certname, signal) => termini.findFacts(certname, signal),
      save: (facts, environment, trusted) =>
        termini.data.facts.save(
          { producedAt: undefined, expiresAt: undefined, ...facts },
          environment,
          trusted,
        ),
    },
    catalogs: keepsCatalogs(settings) ? termini.data.catalogs : undefined,
    log: log.child({ service: 'compiler' }),
    serverFacts: serverFacts(settings.certname, settings.puppetVersion),
    defaultEnvironment: settings.environment,
    environmentPath: settings.environmentPath.join(':'),
    observeLayers: (layers) => {
      for (const { count, layer, selfMs, served: kind } of layers) {
        served.inc({ layer, kind }, count);
        servedSeconds.inc({ layer, kind }, selfMs / 1000);
      }
    },
    observe: (outcome, durationMs) => compiles.observe({ outcome }, durationMs / 1000),
  });
}
