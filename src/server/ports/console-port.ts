/** The port of the console: its pages, and the APIs that they call. */

import { randomBytes, randomUUID } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import { createHttpServer, type HttpServer, type Route, takesTokens } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type SettingOrigins, type Settings, shownSettings } from '../../platform/settings/index.ts';
import {
  BuiltConsole,
  type CodeSource,
  type ConsoleSessions,
  codeRoutes,
  consoleRoutes,
  descriptionRoute,
  type ExplainSource,
  ExportDownloads,
  explainRoute,
  exportRoutes,
  type FleetSource,
  type GroupCatalogsSource,
  groupCatalogsRoute,
  inspectRoutes,
  LiveHub,
  LiveWatch,
  liveRoutes,
  NodeLists,
  type NodeSource,
  nodeRoutes,
  PackageCounts,
  PreferenceStore,
  preferenceRoutes,
  SavedViews,
  securityHeaders,
  sessionAuthenticator,
  settingsRoute,
  TopicWatch,
  tellOfNodes,
  ViewStore,
  viewRoutes,
  type WatchedTopic,
  type WhySource,
  whyRoute,
} from '../../services/console/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import type { StatusRegistry } from '../../services/status/index.ts';
import { consoleSessions } from '../access/console-sessions.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import { consoleDirectory } from '../worker-files.ts';
import type { OpenPorts } from './open-ports.ts';
import { consolePorts, listenOnFirst } from './port-numbers.ts';
import { PortStatus } from './port-status.ts';

export interface ConsolePort {
  listen(): Promise<void>;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

export interface ConsoleSources {
  readonly certificates: ServiceCertificates;
  readonly rbac: Rbac;
  /** Of all other ports; those that take tokens are served here, too. */
  readonly routes: readonly Route[];
  /** What the list of nodes is made of; absent without a PuppetDB. */
  readonly nodes: NodeSource | undefined;
  /** Facts, events, packages and catalogs; absent without a PuppetDB. */
  readonly fleet: FleetSource | undefined;
  /** What is compared to say why a run changed something; absent without a PuppetDB. */
  readonly why: WhySource | undefined;
  /** Compiles that say why a node gets a value or a resource; absent without a PuppetDB. */
  readonly explain: ExplainSource | undefined;
  /** Compiles with edited groups; absent without a PuppetDB or without our classifier. */
  readonly groupCatalogs: GroupCatalogsSource | undefined;
  /** The files of environments. */
  readonly code: CodeSource;
  /** Calls back when a job has changed. @returns what ends that */
  readonly onJob: (listener: (id: number) => void) => () => void;
  readonly onPlanJob: (listener: (id: number) => void) => () => void;
  readonly onSchedule: (listener: () => void) => () => void;
  /** As `onJob`, of the groups; absent where others classify. */
  readonly onGroups: ((listener: () => void) => () => void) | undefined;
  /** Further topics that pages follow. */
  readonly watched: readonly WatchedTopic[];
  readonly origins: SettingOrigins;
  readonly status: StatusRegistry;
  readonly ports: OpenPorts;
}

/** Lengths of time go by the second, which is never set. */
const clocks = { nowMs: Date.now, steadyMs: () => performance.now() };

/** @returns `undefined` when `console_port` names none, and where the program was not built */
export async function openConsolePort(
  foundation: Foundation,
  sources: ConsoleSources,
): Promise<ConsolePort | undefined> {
  const { log, settings } = foundation;
  const wanted = consolePorts(settings);
  if (wanted.length === 0) return undefined;
  const files = await readFiles(settings, log);
  if (files === undefined) return undefined;
  const lists = sources.nodes && nodeLists(sources.nodes, settings);
  const inspection = openInspection(lists, sources);
  const sessions = consoleSessions(sources.rbac);
  const live = openLive(sources, lists, sessions);
  const portStatus = new PortStatus(sources.status, log.child({ service: 'status' }));
  const http = await createConsoleServer(foundation, sources, [
    ...portStatus.routes,
    ...(lists === undefined ? [] : nodeRoutes(lists)),
    ...inspection.routes,
    ...keptRoutes(foundation),
    ...live.routes,
    settingsRoute(shownSettings(settings, sources.origins), () => sessions.loginText()),
    ...consoleRoutes({
      files,
      sessions,
      version: announcedVersion(settings),
      features: featuresOf(sources.routes),
      login: { steadyMs: clocks.steadyMs, onLogout: live.endSession },
    }),
  ]);
  let failure: string | undefined;
  portStatus.register({
    names: ['console-service'],
    version: announcedVersion(settings),
    // Agents are served without it.
    isApart: true,
    read() {
      if (http.isDraining) return { state: 'stopping' };
      if (failure === undefined) return { state: 'running' };
      return { state: 'error', alerts: [{ severity: 'error', message: failure }] };
    },
  });
  return {
    async listen() {
      try {
        const port = await listenOnFirst(http, wanted, settings, 'console_port');
        sources.ports.note(port, 'console-service');
        log.info({ port }, 'console is listening');
      } catch (error) {
        // Agents come first: a console that is on by default must not stop the server.
        if (settings.consolePort !== 'auto' || !(error instanceof ServiceError)) throw error;
        failure = `The console is not there: ${error.message}`;
        log.warn({ ports: wanted }, failure);
      }
    },
    async stop(timeoutMs) {
      live.stop();
      lists?.close();
      inspection.close();
      await http.drain(timeoutMs);
    },
  };
}

/** @param own - beside the routes of other ports that take tokens */
async function createConsoleServer(
  { bodyBudget, log, metrics, settings, transfers }: Foundation,
  { certificates, rbac, routes }: ConsoleSources,
  own: readonly Route[],
): Promise<HttpServer> {
  const served = [...routes.filter(({ allow }) => takesTokens(allow)), ...own];
  const http = createHttpServer({
    routes: [...served, descriptionRoute(served, announcedVersion(settings))],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: rbac.tokens.authenticate,
    authenticateSession: sessionAuthenticator(consoleSessions(rbac), clocks.nowMs),
    answerHeaders: securityHeaders,
    asksForCertificates: false,
    tls: await readTlsMaterial(await certificates.ensure('console')),
    log: log.child({ service: 'http' }),
    bodyBudget,
    transfers,
    onServed: metrics.observeRequest,
  });
  certificates.attach('console', http);
  return http;
}

/** What users keep: views, and how they want the pages to be. */
function keptRoutes({ database }: Foundation): readonly Route[] {
  const views = new SavedViews(new ViewStore(database), { now: () => new Date(), newId: randomUUID });
  return [...viewRoutes(views), ...preferenceRoutes(new PreferenceStore(database))];
}

/** Files of the code; with a PuppetDB also facts, events, packages, catalogs and exports. */
function openInspection(
  lists: NodeLists | undefined,
  { code, explain, fleet, groupCatalogs, why }: ConsoleSources,
): { readonly routes: readonly Route[]; readonly close: () => void } {
  const files = codeRoutes(code);
  if (lists === undefined || fleet === undefined) return { routes: files, close: () => {} };
  const packages = new PackageCounts(fleet, clocks);
  const downloads = new ExportDownloads();
  return {
    routes: [
      ...files,
      ...inspectRoutes({ lists, packages, source: fleet, steadyMs: clocks.steadyMs }),
      ...exportRoutes({ lists, packages, fleet }, downloads),
      ...(why === undefined ? [] : [whyRoute(why)]),
      ...(explain === undefined ? [] : [explainRoute(explain)]),
      ...(groupCatalogs === undefined ? [] : [groupCatalogsRoute(groupCatalogs)]),
    ],
    close() {
      packages.close();
      downloads.close();
    },
  };
}

/** What tells open pages that something has changed. */
function openLive(
  { onGroups, onJob, onPlanJob, onSchedule, watched }: ConsoleSources,
  lists: NodeLists | undefined,
  sessions: ConsoleSessions,
): {
  readonly routes: readonly Route[];
  readonly endSession: (session: string) => void;
  readonly stop: () => void;
} {
  const hub = new LiveHub({ steadyMs: clocks.steadyMs, newId: () => randomBytes(12).toString('hex') });
  const watch = new LiveWatch(hub, sessions);
  const topics = new TopicWatch(hub, watched);
  const ends = [
    lists && tellOfNodes(lists, hub),
    onGroups?.(() => hub.publish('groups')),
    onJob((id) => {
      hub.publish('jobs', { job: id });
      hub.publish(`job:${id}`);
    }),
    onPlanJob((id) => {
      hub.publish('plan-jobs', { job: id });
      hub.publish(`plan-job:${id}`);
    }),
    onSchedule(() => hub.publish('schedules')),
  ];
  return {
    routes: liveRoutes(hub),
    endSession: (session) => watch.endSession(session),
    stop() {
      for (const end of ends) end?.();
      topics.stop();
      watch.stop();
    },
  };
}

function nodeLists(source: NodeSource, settings: Settings): NodeLists {
  const unresponsiveAfterMs = settings.noLongerReportingCutoffSeconds * 1000;
  return new NodeLists(source, { ...clocks, unresponsiveAfterMs });
}

async function readFiles({ consolePort }: Settings, log: Logger): Promise<BuiltConsole | undefined> {
  const directory = consoleDirectory();
  try {
    return await BuiltConsole.read(directory);
  } catch (err) {
    const fields = { directory, err };
    if (consolePort === 'auto') log.debug(fields, 'there is no console: its pages are not built');
    else log.error(fields, 'there is no console: its pages are not built; npm run build makes them');
    return undefined;
  }
}

/** What pages are for: which APIs this installation has. */
function featuresOf(routes: readonly Route[]): readonly string[] {
  const apis = {
    autoscaler: '/autoscaler/',
    classifier: '/classifier-api/',
    code: '/code-manager/',
    orchestrator: '/orchestrator/',
    puppetdb: '/pdb/query/',
    certificates: '/puppet-ca/',
    infrastructure: '/infrastructure/',
  };
  return Object.entries(apis)
    .filter(([, prefix]) => routes.some(({ allow, path }) => path.startsWith(prefix) && takesTokens(allow)))
    .map(([name]) => name);
}
