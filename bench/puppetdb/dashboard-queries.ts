/** What dashboards and exporters ask again and again. */

export interface DashboardQuery {
  readonly name: string;
  /** With its parameters, encoded. */
  readonly path: string;
}

const node = 'node00001.example.test';

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
  {
    name: 'event-counts of nodes',
    path: `/pdb/query/v4/event-counts?${new URLSearchParams({
      query: '["=","latest_report?",true]',
      summarize_by: 'certname',
    })}`,
  },
  {
    name: 'aggregate-event-counts',
    path: `/pdb/query/v4/aggregate-event-counts?${new URLSearchParams({
      query: '["=","latest_report?",true]',
      summarize_by: 'certname',
    })}`,
  },
];

function pql(query: string): DashboardQuery {
  return { name: query, path: `/pdb/query/v4?${new URLSearchParams({ query })}` };
}
