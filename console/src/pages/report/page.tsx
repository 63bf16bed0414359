/** One run of a node: what failed and what changed first, then what it logged and how long it took. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { ReportRow } from '../../api/puppetdb.ts';
import { maySeeJobs } from '../../api/session.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { statusOfReport } from '../../features/report-queries.ts';
import { useSession } from '../../features/session.ts';
import { Status } from '../../features/status.tsx';
import { commitOf } from '../../lib/code-version.ts';
import { durationText, shortTime } from '../../lib/time.ts';
import { Age } from '../../ui/age.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Changes } from './changes.tsx';
import { Log } from './log.tsx';
import { Metrics } from './metrics.tsx';
import styles from './page.module.css';
import { neighbour, reportByHash } from './queries.ts';
import { type ReportTab, reportTabs } from './search.ts';

const route = getRouteApi('/reports/$hash');

export function ReportPage(): ReactElement {
  const { hash } = route.useParams();
  const report = useQuery(reportByHash(hash));
  const above = <Link to="/reports">Reports</Link>;
  if (report.data === undefined)
    return (
      <>
        <PageHeader above={above} title="Report" />
        {<Pending query={report} what="The report" />}
      </>
    );
  if (report.data === null)
    return (
      <>
        <PageHeader above={above} title="Report" />
        <Empty title="There is no such report">
          PuppetDB keeps reports for the time that its setting <code>report_ttl</code> says, and removes them
          then.
        </Empty>
      </>
    );
  return <Report report={report.data} />;
}

function Report({ report }: { readonly report: ReportRow }): ReactElement {
  const { tab = 'changes' } = route.useSearch();
  const session = useSession();
  const navigate = route.useNavigate();
  const select = (id: string) =>
    void navigate({
      search: { tab: reportTabs.find((each): each is ReportTab => each === id && each !== 'changes') },
    });
  return (
    <>
      <PageHeader
        above={<Link to="/reports">Reports</Link>}
        title={`Run of ${report.certname}`}
        aside={<Neighbours report={report} />}
      >
        <p className={styles.status}>
          <Status status={statusOfReport(report)} />
          <span className={styles.ended}>
            {shortTime(new Date(report.end_time))} (<Age time={report.end_time} />)
          </span>
          <Link to="/nodes/$certname" params={{ certname: report.certname }}>
            Open the node
          </Link>
        </p>
        <FactList facts={factsOf(report, maySeeJobs(session))} />
      </PageHeader>
      <Tabs
        label="Parts of the report"
        selected={tab}
        onSelect={select}
        tabs={[
          { id: 'changes', title: 'Failures and changes', render: () => <Changes hash={report.hash} /> },
          { id: 'log', title: 'Log', render: () => <Log hash={report.hash} /> },
          { id: 'metrics', title: 'Metrics', render: () => <Metrics hash={report.hash} /> },
        ]}
      />
    </>
  );
}

function factsOf(report: ReportRow, hasJobs: boolean): readonly Fact[] {
  const seconds = (Date.parse(report.end_time) - Date.parse(report.start_time)) / 1000;
  return [
    { name: 'Environment', value: report.environment },
    { name: 'Took', value: durationText(seconds) },
    { name: 'Agent', value: report.puppet_version },
    ...(report.code_id === null
      ? []
      : [{ name: 'Code version', value: commitOf(report.code_id), isCode: true }]),
    { name: 'Configuration version', value: report.configuration_version, isCode: true },
    ...(report.producer === null ? [] : [{ name: 'Server', value: report.producer }]),
    ...(report.job_id === null ? [] : [{ name: 'Job', value: jobOf(report.job_id, hasJobs) }]),
    ...(report.cached_catalog_status === 'not_used' || report.cached_catalog_status === null
      ? []
      : [{ name: 'Catalog', value: 'from the cache of the agent' }]),
  ];
}

function jobOf(id: string, isLink: boolean): ReactNode {
  return isLink ? (
    <Link to="/jobs/$id" params={{ id }}>
      {id}
    </Link>
  ) : (
    id
  );
}

function Neighbours({ report }: { readonly report: ReportRow }): ReactElement {
  const { data: before } = useQuery(neighbour(report, 'before'));
  const { data: after } = useQuery(neighbour(report, 'after'));
  return (
    <span className={styles.neighbours}>
      {before ? (
        <Link to="/reports/$hash" params={{ hash: before.hash }}>
          Previous run
        </Link>
      ) : undefined}
      {after ? (
        <Link to="/reports/$hash" params={{ hash: after.hash }}>
          Next run
        </Link>
      ) : undefined}
    </span>
  );
}
