/** Which address shows which page. The address is the state of a page: filters, order, tab. */

import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { sessionQuery } from '../features/session.ts';
import { type RawSearch, textIn } from '../lib/search-text.ts';
import { accessSearch } from '../pages/access/search.ts';
import { activitySearch } from '../pages/activity/search.ts';
import { certificatesSearch } from '../pages/certificates/search.ts';
import { classificationSearch } from '../pages/classification/search.ts';
import { compareSearch } from '../pages/compare/search.ts';
import { environmentSearch } from '../pages/environment/search.ts';
import { eventsSearch } from '../pages/events/search.ts';
import { factsSearch } from '../pages/facts/search.ts';
import { installSearch } from '../pages/install/search.ts';
import { jobSearch } from '../pages/job/search.ts';
import { jobsSearch } from '../pages/jobs/search.ts';
import { liveSearch } from '../pages/live/search.ts';
import { nodeSearch } from '../pages/node/search.ts';
import { nodesSearch } from '../pages/nodes/search.ts';
import { overviewCounts } from '../pages/overview/queries.ts';
import { packagesSearch } from '../pages/packages/search.ts';
import { plansSearch } from '../pages/plans/search.ts';
import { querySearch } from '../pages/query/search.ts';
import { reportSearch } from '../pages/report/search.ts';
import { reportsSearch } from '../pages/reports/search.ts';
import { schedulesSearch } from '../pages/schedules/search.ts';
import { settingsSearch } from '../pages/settings/search.ts';
import { tasksSearch } from '../pages/tasks/search.ts';
import { PageFailure, PageMissing } from './failures.tsx';
import { Openings } from './openings.ts';
import { isUnauthorized } from './query-client.ts';
import { Shell } from './shell.tsx';

interface Context {
  readonly queries: QueryClient;
  readonly openings: Openings;
}

/** The part of the address that all pages keep. */
interface FleetSearch {
  /** Nodes, runs and events are those of this environment; of all when absent. */
  readonly environment?: string | undefined;
}

const rootRoute = createRootRouteWithContext<Context>()({
  validateSearch: (search: RawSearch): FleetSearch => ({ environment: textIn(search, 'environment') }),
  search: { middlewares: [retainSearchParams(['environment'])] },
  component: Shell,
  notFoundComponent: PageMissing,
  errorComponent: PageFailure,
  async beforeLoad({ context, location, preload }) {
    if (!preload) await context.openings.begin(location.pathname);
    try {
      await context.queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      // The log-in page is not part of this program, and works without scripts.
      const next = new URLSearchParams({ next: location.href });
      throw redirect({ href: `/login?${next}`, reloadDocument: true });
    }
  },
});

/** A page whose data has not come by then is shown without it. */
const patienceMs = 200;

const overview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loaderDeps: ({ search: { environment } }) => ({ environment }),
  // Asked for before the page is rendered: it is what people look at first.
  loader: async ({ context, deps }) =>
    await Promise.race([
      context.queries.prefetchQuery(overviewCounts(deps.environment)),
      new Promise<void>((resolve) => setTimeout(resolve, patienceMs)),
    ]),
  component: lazyRouteComponent(() => import('../pages/overview/page.tsx'), 'OverviewPage'),
});
const nodes = createRoute({
  getParentRoute: () => rootRoute,
  path: '/nodes',
  validateSearch: nodesSearch,
  component: lazyRouteComponent(() => import('../pages/nodes/page.tsx'), 'NodesPage'),
});
const node = createRoute({
  getParentRoute: () => rootRoute,
  path: '/nodes/$certname',
  validateSearch: nodeSearch,
  component: lazyRouteComponent(() => import('../pages/node/page.tsx'), 'NodePage'),
});
const reports = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('../pages/reports/page.tsx'), 'ReportsPage'),
});
const report = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports/$hash',
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('../pages/report/page.tsx'), 'ReportPage'),
});

const compare = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('../pages/compare/page.tsx'), 'ComparePage'),
});
const events = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import('../pages/events/page.tsx'), 'EventsPage'),
});
const facts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facts',
  validateSearch: factsSearch,
  component: lazyRouteComponent(() => import('../pages/facts/page.tsx'), 'FactsPage'),
});
const packages = createRoute({
  getParentRoute: () => rootRoute,
  path: '/packages',
  validateSearch: packagesSearch,
  component: lazyRouteComponent(() => import('../pages/packages/page.tsx'), 'PackagesPage'),
});
const query = createRoute({
  getParentRoute: () => rootRoute,
  path: '/query',
  validateSearch: querySearch,
  component: lazyRouteComponent(() => import('../pages/query/page.tsx'), 'QueryPage'),
});

const classification = createRoute({
  getParentRoute: () => rootRoute,
  path: '/groups/{-$id}',
  validateSearch: classificationSearch,
  component: lazyRouteComponent(() => import('../pages/classification/page.tsx'), 'ClassificationPage'),
});

const certificates = createRoute({
  getParentRoute: () => rootRoute,
  path: '/certificates',
  validateSearch: certificatesSearch,
  component: lazyRouteComponent(() => import('../pages/certificates/page.tsx'), 'CertificatesPage'),
});

const jobs = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs',
  validateSearch: jobsSearch,
  component: lazyRouteComponent(() => import('../pages/jobs/page.tsx'), 'JobsPage'),
});
const job = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$id',
  validateSearch: jobSearch,
  component: lazyRouteComponent(() => import('../pages/job/page.tsx'), 'JobPage'),
});

const tasks = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/{-$name}',
  validateSearch: tasksSearch,
  component: lazyRouteComponent(() => import('../pages/tasks/page.tsx'), 'TasksPage'),
});
const plans = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plans/{-$name}',
  validateSearch: plansSearch,
  component: lazyRouteComponent(() => import('../pages/plans/page.tsx'), 'PlansPage'),
});
const planJob = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plan-jobs/$id',
  component: lazyRouteComponent(() => import('../pages/plan-job/page.tsx'), 'PlanJobPage'),
});
const schedules = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/{-$id}',
  validateSearch: schedulesSearch,
  component: lazyRouteComponent(() => import('../pages/schedules/page.tsx'), 'SchedulesPage'),
});
const live = createRoute({
  getParentRoute: () => rootRoute,
  path: '/live',
  validateSearch: liveSearch,
  component: lazyRouteComponent(() => import('../pages/live/page.tsx'), 'LivePage'),
});
const code = createRoute({
  getParentRoute: () => rootRoute,
  path: '/code',
  component: lazyRouteComponent(() => import('../pages/code/page.tsx'), 'CodePage'),
});
const environment = createRoute({
  getParentRoute: () => rootRoute,
  path: '/code/$environment',
  validateSearch: environmentSearch,
  component: lazyRouteComponent(() => import('../pages/environment/page.tsx'), 'EnvironmentPage'),
});

const servers = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers',
  component: lazyRouteComponent(() => import('../pages/servers/page.tsx'), 'ServersPage'),
});
const scaling = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scaling',
  component: lazyRouteComponent(() => import('../pages/scaling/page.tsx'), 'ScalingPage'),
});
const server = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers/$certname',
  component: lazyRouteComponent(() => import('../pages/server/page.tsx'), 'ServerPage'),
});

const install = createRoute({
  getParentRoute: () => rootRoute,
  path: '/install',
  validateSearch: installSearch,
  component: lazyRouteComponent(() => import('../pages/install/page.tsx'), 'InstallPage'),
});
const settings = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('../pages/settings/page.tsx'), 'SettingsPage'),
});

const access = createRoute({
  getParentRoute: () => rootRoute,
  path: '/access/{-$tab}',
  validateSearch: accessSearch,
  component: lazyRouteComponent(() => import('../pages/access/page.tsx'), 'AccessPage'),
});
const account = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/page.tsx'), 'AccountPage'),
});
const activity = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('../pages/activity/page.tsx'), 'ActivityPage'),
});
const change = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity/$id',
  component: lazyRouteComponent(() => import('../pages/change/page.tsx'), 'ChangePage'),
});

const routeTree = rootRoute.addChildren([
  overview,
  nodes,
  node,
  reports,
  report,
  events,
  facts,
  packages,
  query,
  compare,
  classification,
  certificates,
  jobs,
  job,
  tasks,
  plans,
  planJob,
  schedules,
  live,
  code,
  environment,
  servers,
  server,
  scaling,
  install,
  settings,
  access,
  account,
  activity,
  change,
]);

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is what links are checked with
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries, openings: new Openings() },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: PageFailure,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(search))
        if (value !== undefined && value !== '') parameters.set(name, String(value));
      return parameters.size === 0 ? '' : `?${parameters}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
