/** What both roles do for agents: catalogs, files, facts, reports, backups, environments. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { WorkMeter } from '../../services/autoscaler/index.ts';
import {
  compilerRoutes,
  type FactsTerminus,
  type NodeTerminus,
  type PuppetDbTerminus,
  type TrustedExternalTerminus,
  type WorkerPool,
} from '../../services/compiler/index.ts';
import {
  EnvironmentRegistry,
  environmentRoutes,
  type OuterFiles,
} from '../../services/environments/index.ts';
import { factsRoutes } from '../../services/facts/index.ts';
import { FileBucket, filebucketRoutes } from '../../services/filebucket/index.ts';
import { FileServer, fileserverRoutes } from '../../services/fileserver/index.ts';
import { CodeVersions } from '../../services/filesync/index.ts';
import { reportRoutes } from '../../services/reports/index.ts';
import { TaskCatalogue, tasksRoutes } from '../../services/tasks/index.ts';
import { openWorkMeter } from '../autoscaler/work-meter.ts';
import { type Code, joinCode } from '../code/code.ts';
import { awaitingEnvironments } from '../code/coming-environments.ts';
import { environmentPlaces } from '../code/environment-places.ts';
import { catalogGate } from '../compiler/catalog-gate.ts';
import { createCompileService } from '../compiler/create-compile-service.ts';
import { environmentDefaults, languageSettings } from '../compiler/language-settings.ts';
import { openWorkerPool } from '../compiler/open-worker-pool.ts';
import type { Foundation } from '../foundation.ts';
import type { NodeData } from '../node-data/node-data.ts';
import { nodeTerminus, trustedExternalTerminus } from '../nodes/node-termini.ts';
import type { ServedPart } from '../served-part.ts';
import { ownModulesDirectory } from '../worker-files.ts';
import { createReportService, reportAlerts } from './agent-reports.ts';
import { factCache } from './fact-cache.ts';
import { readLargeBodies } from './large-bodies.ts';

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
  /** Files outside of the code that lie elsewhere here, and where each path really is. */
  readonly outerFiles?: { readonly current: () => OuterFiles; readonly locate: (path: string) => string };
  /** What code asks while it is compiled. */
  readonly puppetDb?: PuppetDbTerminus | undefined;
}

export interface AgentServices extends ServedPart {
  readonly code: Code;
  readonly pool: WorkerPool;
  /** Measures the requests for catalogs. */
  readonly work: WorkMeter;
  /** Tasks and plans of the code that is live. */
  readonly tasks: TaskCatalogue;
  readonly files: FileServer;
  /** Waits until what was compiled is kept, and ends the workers. */
  stop(): Promise<void>;
}

export function createAgentServices(foundation: Foundation, termini: AgentTermini): AgentServices {
  const { settings } = foundation;
  const log = foundation.log.child({ service: 'server' });
  const pool = openWorkers(foundation, termini.puppetDb, (certname, ms) => work.compiled(certname, ms));
  const work = openWorkMeter(foundation, pool);
  const code = joinCode(new CodeVersions(), createEnvironments(foundation, termini.outerFiles), pool);
  const known = { hasEnvironment: (name: string) => code.versions.current(name) !== undefined };
  const files = createFileServer(settings, code, log);
  const tasks = new TaskCatalogue({ code: code.forFileServer, log });
  const cache = factCache(settings, log);
  const { data, findFacts } = termini;
  const reports = createReportService(settings, data.reports, log);
  const large = readLargeBodies({
    wanted: reports.wanted,
    producer: settings.certname,
    hasUnchangedResources: data.hasUnchangedResources,
  });
  const { facts: largeForms } = large;
  const sink = cache.aroundSink(data.facts);
  const locate = termini.outerFiles?.locate;
  const nodes = nodeTerminus(foundation, termini.classifier, locate);
  const program = trustedExternalTerminus(foundation, locate);
  const trustedExternal = termini.aroundTrustedExternal?.(program) ?? program;
  const compiler = createCompileService(foundation, {
    code,
    pool,
    files,
    nodes: cache.around(termini.aroundNodes?.(nodes) ?? nodes),
    trustedExternal,
    findFacts,
    data,
  });
  return {
    code,
    pool,
    work,
    tasks,
    files,
    routes: awaitingEnvironments(
      [
        ...compilerRoutes({ service: compiler, log, gate: catalogGate(foundation, pool, work), largeForms }),
        ...environmentRoutes(settings.environmentPath, code.live),
        ...fileserverRoutes(files, log),
        ...tasksRoutes(tasks),
        ...filebucketRoutes(createFileBucket(settings, log), known, log),
        ...factsRoutes({ sink, environments: known, trustedExternal, largeFacts: largeForms, log }),
        ...reportRoutes(reports, known, log, large.reports),
      ],
      code.isComing,
    ),
    alerts: () => reportAlerts(reports),
    async stop() {
      await compiler.settled();
      await large.stop();
      await pool.close();
    },
  };
}

function openWorkers(
  { log, settings }: Foundation,
  puppetDb: PuppetDbTerminus | undefined,
  onCompiled: (certname: string, durationMs: number) => void,
): WorkerPool {
  return openWorkerPool(settings, {
    workers: settings.compileWorkers === 0 ? availableParallelism() : settings.compileWorkers,
    maxQueued: settings.maxQueuedRequests,
    puppetDb,
    onCompiled,
    log: log.child({ service: 'compiler' }),
  });
}

function createEnvironments(
  { log, settings }: Foundation,
  outerFiles: AgentTermini['outerFiles'],
): EnvironmentRegistry {
  return new EnvironmentRegistry({
    environmentPath: settings.environmentPath[0] ?? join(settings.codeDir, 'environments'),
    codeDirectory: settings.codeDir,
    places: environmentPlaces(settings),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    ...(outerFiles === undefined ? {} : { outerFiles: outerFiles.current }),
    ownModules: ownModulesDirectory(),
    staticCatalogs: settings.staticCatalogs,
    language: (level) => languageSettings(settings, level),
    log: log.child({ service: 'environments' }),
    now: Date.now,
  });
}

function createFileServer(settings: Settings, code: Code, log: Logger): FileServer {
  return new FileServer({
    code: code.forFileServer,
    oldCode: code.oldFiles,
    log,
    codeDirectory: settings.codeDir,
    fileserverConf: settings.fileServerConfig,
    owner: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 },
    now: Date.now,
    steadyMs: () => performance.now(),
  });
}

function createFileBucket(settings: Settings, log: Logger): FileBucket {
  return new FileBucket({
    directory: settings.bucketDir,
    algorithm: settings.digestAlgorithm,
    log,
    now: () => new Date(),
  });
}
