/** What dashboards and exporters ask again and again. */

export interface DashboardQuery {
  readonly name: string;
  /** With its parameters, encoded. */
  readonly path: string;
}

export const node = 'node00001.example.test';

/** In paths: the digest of the node's latest report. */
export const latestReport = 'LATEST_REPORT';

export const dashboardQueries: readonly DashboardQuery[] = [
  pql('nodes[certname, latest_report_status, report_timestamp]{}'),
  pql('nodes[count()]{}'),
  pql('nodes[latest_report_status, count()]{ group by latest_report_status }'),
  pql('nodes{ latest_report_status = "failed" }'),
  pql('nodes{ certname ~ "node0010" }'),
  pql('nodes{ report_timestamp < "2026-11-21T00:00:01Z" }'),
  pql(`nodes{ certname = "${node}" }`),
  pql(`facts{ certname = "${node}" }`),
  pql('facts[certname, value]{ name = "kernelrelease" }'),
  pql('facts[value, count()]{ name = "operatingsystem" group by value }'),
  pql('inventory[certname, facts.os.family, facts.os.release.major]{}'),
  pql('inventory[certname]{ facts.os.release.major = "12" and facts.processors.count >= 2 }'),
  pql(
    'nodes[certname]{ facts{ name = "kernel" and value = "Linux" } and resources{ type = "Class" and title = "Apache" } }',
  ),
  pql('resources[certname]{ type = "Class" and title = "Apache" }'),
  pql('resources[type, title]{ type = "Host" and exported = true }'),
  pql(`resources[type, title]{ certname = "${node}" }`),
  pql('reports[certname, status, noop, end_time]{ latest_report? = true order by end_time desc limit 50 }'),
  pql('reports[status, count()]{ group by status }'),
  pql(`reports[hash, status, end_time]{ certname = "${node}" order by end_time desc limit 20 }`),
  pql(`events[resource_type, resource_title, status]{ certname = "${node}" and latest_report? = true }`),
  pql('events[certname, resource_title]{ latest_report? = true and status = "failure" }'),
  pql('environments{}'),
  ...puppetBoard(),
  ...puppetExplorer(),
  ...prometheusExporter(),
];

/** As the source of puppetboard 5 and pypuppetdb 3 ask: overview, daily chart, lists, the page of a node, inventory, a class. */
function puppetBoard(): readonly DashboardQuery[] {
  const tool = 'PuppetBoard';
  const environment = ['=', 'environment', 'production'];
  const counted = ['function', 'count'];
  const day = [
    ['>=', 'start_time', '2026-11-20T00:00:00Z'],
    ['<', 'start_time', '2026-11-21T00:00:00Z'],
  ];
  const paged = { order_by: [{ field: 'start_time', order: 'desc' }], limit: 100, include_total: true };
  const facts = ['fqdn', 'ipaddress', 'operatingsystem', 'architecture', 'kernelrelease', 'puppetversion'];
  const ofClass = ['and', ['=', 'type', 'Class'], ['=', 'title', 'Apache'], environment];
  return [
    rest(tool, 'environments', {}),
    rest(tool, 'nodes', {
      query: ['extract', [counted], ['and', ['=', 'catalog_environment', 'production']]],
    }),
    rest(tool, 'resources', { query: ['extract', [counted], environment] }),
    rest(tool, 'nodes', { query: ['and', ['=', 'catalog_environment', 'production']] }),
    rest(tool, 'event-counts', { query: ['=', 'latest_report?', true], summarize_by: 'certname' }),
    rest(tool, 'reports', {
      query: ['extract', [counted, 'status'], ['and', ...day, environment], ['group_by', 'status']],
    }),
    rest(tool, 'reports', { query: ['and', environment], ...paged }),
    rest(tool, 'reports', { query: ['and', environment, ['=', 'certname', node]], ...paged }),
    rest(tool, 'facts', {
      query: ['and', ['or', ...facts.map((name) => ['=', 'name', name])], environment],
    }),
    rest(tool, 'facts/osfamily', {}),
    rest(tool, 'fact-names', {}),
    rest(tool, `nodes/${node}`, {}),
    rest(tool, `nodes/${node}/facts`, {}),
    rest(tool, `catalogs/${node}`, {}),
    rest(tool, 'nodes', {
      query: ['in', 'certname', ['from', 'resources', ['extract', ['certname'], ofClass]]],
    }),
    ...['num-nodes', 'num-resources'].map((name) => bean(tool, name)),
  ];
}

/** For when the latest report of each node has hundreds of events: by class, resource, type and status, as dashboards show them. */
export const eventCountQueries: readonly DashboardQuery[] = [
  ...['certname', 'containing_class', 'resource'].flatMap((subject) =>
    ['event-counts', 'aggregate-event-counts'].map((path) =>
      rest('Counts', path, { query: ['=', 'latest_report?', true], summarize_by: subject }),
    ),
  ),
  ...puppetExplorer().filter(({ name }) => name.includes('/events?') && name.includes('"count"')),
];

/** As the source of its last version asks. */
function puppetExplorer(): readonly DashboardQuery[] {
  const tool = 'Puppet Explorer';
  const latest = ['=', 'latest_report?', true];
  const counted = ['function', 'count'];
  const charts = ['containing_class', 'resource_type', 'status'];
  return [
    rest(tool, 'nodes', { order_by: [{ field: 'certname' }], limit: 25, offset: 0 }),
    rest(tool, 'nodes', { query: ['extract', [counted]] }),
    ...charts.map((field) =>
      rest(tool, 'events', { query: ['extract', [counted, field], latest, ['group_by', field]] }),
    ),
    rest(tool, 'events', { query: latest, order_by: [{ field: 'timestamp', order: 'desc' }], limit: 25 }),
    rest(tool, 'events', { query: ['extract', [counted], latest] }),
    ...['avg-resources-per-node', 'pct-resource-dupes'].map((name) => bean(tool, name)),
  ];
}

/** As prometheus-puppetdb-exporter asks; the second once for each node. */
function prometheusExporter(): readonly DashboardQuery[] {
  const tool = 'Prometheus exporter';
  return [rest(tool, 'nodes', {}), rest(tool, `reports/${latestReport}/metrics`, {})];
}

function bean(tool: string, name: string): DashboardQuery {
  const path = `/metrics/v2/read/puppetlabs.puppetdb.population:name=${name}`;
  return { name: `${tool}: ${path}`, path };
}

/** @param parameters - JSON, or texts as they are */
function rest(tool: string, path: string, parameters: Readonly<Record<string, unknown>>): DashboardQuery {
  const texts = Object.entries(parameters).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const search = new URLSearchParams(Object.fromEntries(texts)).toString();
  const shown = texts.map(([name, value]) => `${name}=${value}`).join('&');
  return {
    name: `${tool}: /${path}${shown === '' ? '' : `?${shown}`}`.slice(0, 160),
    path: `/pdb/query/v4/${path}${search === '' ? '' : `?${search}`}`,
  };
}

function pql(query: string): DashboardQuery {
  return { name: query, path: `/pdb/query/v4?${new URLSearchParams({ query })}` };
}
