/** What happened to resources on all nodes: summed up, and one by one. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { EventSums } from '../../api/fleet.ts';
import { AsOf } from '../../features/as-of.tsx';
import { PqlButton } from '../../features/command-button.tsx';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { QuickLink } from '../../features/quick-link.tsx';
import { outcomeWords, subjectWords } from '../../lib/event-filter.ts';
import { pqlText } from '../../lib/pql.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { Filter } from './filter.tsx';
import styles from './page.module.css';
import { eventSums, noSubject, shownSubjects, sumsExport, sumsQuery } from './queries.ts';
import { type EventsSearch, usualStatus } from './search.ts';
import { SubjectEvents } from './subject-events.tsx';

const route = getRouteApi('/events');

export function EventsPage(): ReactElement {
  const search = route.useSearch();
  const { by = 'class', subject } = search;
  useTopic('nodes');
  if (subject !== undefined) return <SubjectEvents by={by} subject={subject} />;
  return (
    <>
      <PageHeader title="Events" aside={<Freshness />}>
        <Filter />
      </PageHeader>
      <List />
    </>
  );
}

function Freshness(): ReactElement {
  const sums = useQuery(eventSums(route.useSearch()));
  return <AsOf query={sums} />;
}

type Sum = EventSums['rows'][number];

function List(): ReactElement {
  const search = route.useSearch();
  const { by = 'class' } = search;
  const sums = useQuery(eventSums(search));
  if (sums.data === undefined)
    return sums.isError ? (
      <Failure title="The events can’t be counted" error={sums.error} onRetry={() => void sums.refetch()} />
    ) : (
      <LoadingRows label="The events are counted" rows={10} />
    );
  const { is_partial: isPartial, rows, total } = sums.data;
  if (rows.length === 0) return <Nothing />;
  return (
    <>
      <p className={styles.summary}>
        <span role="status">
          {total.toLocaleString()} {total === 1 ? words[by][0] : words[by][1]}
          {total > rows.length ? `; the ${shownSubjects} with most nodes are shown` : ''}
        </span>
        <PqlButton pql={pqlText(sumsQuery(search))} />
        <ExportButtons list={sumsExport(search)} />
      </p>
      {isPartial ? (
        <p className={styles.note}>
          There are too many events to count them all, so the numbers are too low. Choose a shorter time.
        </p>
      ) : undefined}
      <DataTable
        label={`Events by ${subjectWords[by].toLowerCase()}`}
        columns={columnsOf(subjectWords[by], search)}
        rows={rows}
        rowKey={({ subject }) => subject ?? noSubject}
      />
    </>
  );
}

const words = {
  class: ['class', 'classes'],
  node: ['node', 'nodes'],
  resource: ['resource', 'resources'],
  message: ['message', 'messages'],
} as const;

function Nothing(): ReactElement {
  const { from, q, status = usualStatus } = route.useSearch();
  const when = from === undefined ? ' in 24 h' : '';
  if (q !== undefined) return <Empty title="Nothing matches">Search for a shorter part of a name.</Empty>;
  if (status === 'failed') return <Empty title={`No failures${when}`}>Choose another kind or time.</Empty>;
  const what = status === 'any' ? 'No events' : `No events of the kind “${outcomeWords[status]}”`;
  return <Empty title={`${what}${when}`}>Choose another kind or time.</Empty>;
}

interface SubjectLinkProps {
  readonly row: Sum;
  /** Of the page. */
  readonly search: EventsSearch;
  readonly children: ReactNode;
}

/** Every number leads to what was counted. */
function SubjectLink({ children, row, search }: SubjectLinkProps): ReactElement {
  return (
    <QuickLink link={{ to: '/events', search: { ...search, subject: row.subject ?? noSubject } }}>
      {children}
    </QuickLink>
  );
}

/** @param search - of the page */
function columnsOf(title: string, search: EventsSearch): readonly Column<Sum>[] {
  return [
    {
      id: 'subject',
      title,
      width: 'minmax(220px, 3fr)',
      narrow: 'first',
      render: (row) => (
        <SubjectLink row={row} search={search}>
          {row.subject === null ? 'None' : visibleText(row.subject)}
        </SubjectLink>
      ),
    },
    {
      id: 'nodes',
      title: 'Nodes',
      width: '80px',
      narrow: 'end',
      isNumeric: true,
      isTitled: true,
      render: (row) => (
        <SubjectLink row={row} search={search}>
          {row.nodes.toLocaleString()}
        </SubjectLink>
      ),
    },
    {
      id: 'events',
      title: 'Events',
      width: '80px',
      isNumeric: true,
      render: (row) => (
        <SubjectLink row={row} search={search}>
          {row.events.toLocaleString()}
        </SubjectLink>
      ),
    },
    {
      id: 'first',
      title: 'First seen',
      width: '104px',
      isNumeric: true,
      render: ({ first }) => <Age time={first} />,
    },
    {
      id: 'last',
      title: 'Last seen',
      width: '104px',
      narrow: 'detail',
      isNumeric: true,
      isTitled: true,
      render: ({ last }) => <Age time={last} />,
    },
  ];
}
