/** Who changed what, when: the newest change first. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ReactElement, useCallback, useMemo } from 'react';
import { type ActivityChange, exportAddress } from '../../api/activity.ts';
import { maySeeActivity } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { ChangedObject, objectWords } from '../../features/changed-object.tsx';
import { CommandButton } from '../../features/command-button.tsx';
import { useTopic } from '../../features/live.ts';
import { useUpdates } from '../../features/long-lists.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { apiCommand } from '../../lib/api-command.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { activityPages, questionOf } from './queries.ts';
import { type ActivitySearch, activityServices, activityTimes } from './search.ts';

const route = getRouteApi('/activity');

const serviceTitles = {
  classifier: 'Node groups',
  rbac: 'Users and roles',
  'code-manager': 'Code',
  ca: 'Certificates',
  infrastructure: 'Servers',
  orchestrator: 'Jobs',
  puppetdb: 'Nodes',
} as const;
const timeTitles = { '1h': 'Last hour', '1d': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' };

export function ActivityPage(): ReactElement {
  const search = route.useSearch();
  const query = activityPages(search);
  const changes = useInfiniteQuery(query);
  const updates = useUpdates(query.queryKey);
  useTopic('activity', maySeeActivity(useSession()));
  return (
    <>
      <PageHeader title="Activity" aside={<AsOf query={changes} updates={updates} />}>
        <Filter />
      </PageHeader>
      <List />
    </>
  );
}

function Filter(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (part: ActivitySearch) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace: 'q' in part }),
    [navigate],
  );
  const find = useCallback((text: string) => change({ q: text.trim() || undefined }), [change]);
  const address = exportAddress(questionOf(search, new Date()));
  return (
    <>
      <div className={styles.filter}>
        <SearchField
          label="Search changes"
          value={search.q ?? ''}
          placeholder="Name or word"
          onChange={find}
        />
        <Select
          label="What was changed"
          value={search.service ?? ''}
          options={[
            ['', 'Everything'],
            ...activityServices.map((each) => [each, serviceTitles[each]] as const),
          ]}
          onChange={(chosen) => change({ service: chosen === '' ? undefined : chosen })}
        />
        <Select
          label="When"
          value={search.since ?? ''}
          options={[['', 'Any time'], ...activityTimes.map((each) => [each, timeTitles[each]] as const)]}
          onChange={(chosen) => change({ since: chosen === '' ? undefined : chosen })}
        />
      </div>
      <div className={styles.filter}>
        {search.author === undefined ? undefined : (
          <Term text={`by ${search.author}`} onRemove={() => change({ author: undefined })} />
        )}
        {search.object === undefined ? undefined : (
          <Term text={`of ${search.object}`} onRemove={() => change({ object: undefined })} />
        )}
        <a className={styles.export} href={address} download>
          <Download size={16} aria-hidden />
          Export CSV
        </a>
        <CommandButton text={apiCommand({ method: 'GET', path: address }, location.origin)} />
      </div>
    </>
  );
}

function Term({ onRemove, text }: { readonly text: string; readonly onRemove: () => void }): ReactElement {
  return (
    <span className={styles.term}>
      {visibleText(text)}
      <button type="button" aria-label={`Remove ${text}`} onClick={onRemove}>
        ×
      </button>
    </span>
  );
}

function List(): ReactElement {
  const search = route.useSearch();
  const pages = useInfiniteQuery(activityPages(search));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const rows = useMemo(() => pages.data?.pages.flatMap(({ changes }) => changes) ?? [], [pages.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (pages.data === undefined) return <Pending query={pages} what="The changes" rows={12} />;
  if (rows.length === 0)
    return Object.values(search).some((each) => each !== undefined) ? (
      <Empty title="No change matches">Remove a part of the filter.</Empty>
    ) : (
      <Empty title="No changes yet">
        Changes of groups, users, code, certificates, servers and jobs appear here with their authors.
      </Empty>
    );
  return (
    <DataTable
      label="Changes"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}

const columns: readonly Column<ActivityChange>[] = [
  {
    id: 'change',
    title: 'Change',
    width: 'minmax(240px, 3fr)',
    narrow: 'first',
    render: ({ events, id }) => (
      <Link
        to="/activity/$id"
        params={{ id: String(id) }}
        title={events.map(({ message }) => message).join('\n')}
      >
        {visibleText(events[0]?.message ?? '')}
        {events.length > 1 ? <span className={styles.more}> and {events.length - 1} more</span> : undefined}
      </Link>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    width: '104px',
    render: ({ object }) => objectWords[object.type] ?? object.type,
  },
  {
    id: 'object',
    title: 'Object',
    width: 'minmax(120px, 1fr)',
    render: ({ object }) => <ChangedObject object={object} />,
  },
  {
    id: 'by',
    title: 'By',
    width: 'minmax(96px, 0.5fr)',
    narrow: 'detail',
    render: ({ by }) => (
      <Link to="/activity" search={(before: ActivitySearch) => ({ ...before, author: by.name })}>
        {visibleText(by.name)}
      </Link>
    ),
  },
  { id: 'address', title: 'From', width: '112px', render: ({ address }) => address ?? '' },
  {
    id: 'time',
    title: 'When',
    width: '88px',
    narrow: 'end',
    isNumeric: true,
    render: ({ time }) => <Age time={time} />,
  },
];
