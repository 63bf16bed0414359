/** The events of one class, node, resource or message, one by one. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { FleetEventRow } from '../../api/puppetdb.ts';
import { PqlButton } from '../../features/command-button.tsx';
import { ExportButtons, wholeQuery } from '../../features/export-buttons.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { QuickLink } from '../../features/quick-link.tsx';
import { WhyChange } from '../../features/why-change.tsx';
import { placeInModule } from '../../lib/code-path.ts';
import { type EventOutcome, type EventSubject, outcomeWords, subjectWords } from '../../lib/event-filter.ts';
import { pqlText } from '../../lib/pql.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { noSubject, shownEvents, subjectEvents } from './queries.ts';
import { usualStatus } from './search.ts';

const route = getRouteApi('/events');

interface SubjectProps {
  readonly by: EventSubject;
  readonly subject: string;
}

export function SubjectEvents({ by, subject }: SubjectProps): ReactElement {
  const { status = usualStatus } = route.useSearch();
  const name = subject === noSubject ? 'None' : visibleText(subject);
  return (
    <>
      <PageHeader
        above={
          <Link from="/events" to="/events" search={(before) => ({ ...before, subject: undefined })}>
            Events
          </Link>
        }
        title={by === 'message' ? 'Message' : `${subjectWords[by]} ${name}`}
      >
        {by === 'message' ? <p className={styles.message}>{name}</p> : undefined}
        {status === 'any' ? undefined : <p className={styles.kind}>{outcomeWords[status]}</p>}
      </PageHeader>
      <Rows by={by} subject={subject} />
    </>
  );
}

function Rows({ by, subject }: SubjectProps): ReactElement {
  const search = route.useSearch();
  const { status = usualStatus } = search;
  const events = useQuery(subjectEvents(search, subject));
  if (events.data === undefined) return <Pending query={events} what="The events" rows={10} />;
  const { query, rows } = events.data;
  if (rows.length === 0)
    return <Empty title="No events in this time">Go back and choose another time.</Empty>;
  const nodes = new Set(rows.map(({ certname }) => certname)).size;
  return (
    <>
      <p className={styles.summary}>
        <span role="status">
          {rows.length === shownEvents ? `The last ${shownEvents} events` : countText(rows.length, 'event')}{' '}
          on {countText(nodes, 'node')}
        </span>
        <PqlButton pql={pqlText(query)} />
        <ExportButtons list={wholeQuery(query)} />
      </p>
      <DataTable label="Events" columns={columnsFor(by, status)} rows={rows} rowKey={keyOf} />
    </>
  );
}

/** What is the same in all rows is said above. */
function columnsFor(by: EventSubject, status: string): readonly Column<FleetEventRow>[] {
  return columns
    .filter(({ id }) => id !== by && (id !== 'kind' || status === 'any'))
    .map((column) => (by === 'node' && column.id === 'resource' ? { ...column, narrow: 'first' } : column));
}

function countText(count: number, what: string): string {
  return `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;
}

function keyOf({
  certname,
  property,
  report,
  resource_title,
  resource_type,
  timestamp,
}: FleetEventRow): string {
  return [report, certname, resource_type, resource_title, property, timestamp].join('\0');
}

const columns: readonly Column<FleetEventRow>[] = [
  {
    id: 'node',
    title: 'Node',
    width: 'minmax(160px, 1.5fr)',
    narrow: 'first',
    render: ({ certname }) => (
      <QuickLink link={{ to: '/nodes/$certname', params: { certname } }}>{certname}</QuickLink>
    ),
  },
  {
    id: 'resource',
    title: 'Resource',
    width: 'minmax(144px, 2fr)',
    render: ({ resource_title: title, resource_type: type }) => (
      <code title={visibleText(`${type}[${title}]`)}>{visibleText(`${type}[${title}]`)}</code>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    width: '128px',
    render: kindText,
  },
  {
    id: 'message',
    title: 'Message',
    width: 'minmax(176px, 3fr)',
    narrow: 'detail',
    render: (row) => <span title={happened(row)}>{happened(row)}</span>,
  },
  {
    id: 'place',
    title: 'Declared in',
    width: 'minmax(144px, 2fr)',
    render: ({ file, line }) =>
      file === null ? '' : <code title={visibleText(file)}>{visibleText(placeText(file, line))}</code>,
  },
  {
    id: 'why',
    title: 'Cause',
    width: '148px',
    render: ({ certname, report, resource_title: title, resource_type: type, status }) =>
      status === 'skipped' ? (
        ''
      ) : (
        <WhyChange
          question={{ report, type, title }}
          label={`${visibleText(`${type}[${title}]`)} on ${visibleText(certname)}`}
        />
      ),
  },
  {
    id: 'report',
    title: 'Report',
    width: '88px',
    narrow: 'end',
    isNumeric: true,
    render: ({ report, timestamp }) => (
      <QuickLink link={{ to: '/reports/$hash', params: { hash: report } }}>
        <Age time={timestamp} />
      </QuickLink>
    ),
  },
];

const kinds: Readonly<Record<string, EventOutcome>> = {
  failure: 'failed',
  success: 'intentional',
  noop: 'noop',
  skipped: 'skipped',
};

function kindText({ corrective_change: isCorrective, status }: FleetEventRow): string {
  const kind = status === 'success' && isCorrective === true ? 'corrective' : kinds[status];
  return kind === undefined ? status : outcomeWords[kind];
}

function happened({ message, new_value, old_value, property }: FleetEventRow): string {
  if (message !== null && message !== '') return visibleText(message);
  return `${visibleText(property ?? '')}: ${valueText(old_value)} → ${valueText(new_value)}`;
}

function placeText(file: string, line: number | null): string {
  return line === null ? placeInModule(file) : `${placeInModule(file)}:${line}`;
}
