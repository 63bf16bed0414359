/** The groups below their parents, each with the number of nodes that match it. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { QuickLink } from '../../features/quick-link.tsx';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { nodesText } from '../../lib/jobs.ts';
import { visibleText } from '../../lib/visible-text.ts';
import type { GroupDrafts } from './draft.ts';
import { memberCounts } from './queries.ts';
import styles from './tree.module.css';

const route = getRouteApi('/groups/{-$id}');

interface GroupTreeProps {
  readonly drafts: GroupDrafts;
  readonly selected: string | undefined;
}

export function GroupTree({ drafts: { edits, groups }, selected }: GroupTreeProps): ReactElement {
  const edited = new Set(edits.map(({ group }) => group.id));
  const below = Map.groupBy(
    groups.filter(({ id, parent }) => id !== parent),
    ({ parent }) => parent,
  );
  const roots = groups.filter(({ id, parent }) => id === parent);
  const { data: counted } = useQuery(memberCounts());
  const shared = { below, edited, selected, counts: counted?.groups ?? {} };
  return (
    <nav aria-label="Node groups">
      <Branch groups={roots} {...shared} />
    </nav>
  );
}

interface BranchProps {
  readonly groups: readonly GroupDefinition[];
  readonly below: ReadonlyMap<string, readonly GroupDefinition[]>;
  readonly edited: ReadonlySet<string>;
  readonly selected: string | undefined;
  /** Matching nodes of the groups as they are committed. */
  readonly counts: Readonly<Record<string, number>>;
}

function Branch({ groups, ...shared }: BranchProps): ReactElement {
  const { tab } = route.useSearch();
  const { below, counts, edited, selected } = shared;
  const sorted = groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return (
    <ul className={styles.branch}>
      {sorted.map((group) => (
        <li key={group.id}>
          <div className={styles.row}>
            <QuickLink
              link={{ to: '/groups/{-$id}', params: { id: group.id }, search: { tab } }}
              className={`${styles.groupLink} ${group.id === selected ? styles.selected : ''}`}
              current={group.id === selected ? 'true' : undefined}
            >
              <span className={styles.groupName}>{visibleText(group.name)}</span>
              {group.environment_trumps ? <span className={styles.mark}>environment</span> : undefined}
              {edited.has(group.id) ? <span className={styles.edited}>edited</span> : undefined}
            </QuickLink>
            <Count group={group} count={counts[group.id]} />
          </div>
          {below.has(group.id) ? <Branch {...shared} groups={below.get(group.id) ?? []} /> : undefined}
        </li>
      ))}
    </ul>
  );
}

interface CountProps {
  readonly group: GroupDefinition;
  /** Absent while it is not known, and for groups that are not committed yet. */
  readonly count: number | undefined;
}

function Count({ count, group }: CountProps): ReactElement | undefined {
  if (count === undefined) return undefined;
  return (
    <QuickLink
      link={{ to: '/groups/{-$id}', params: { id: group.id }, search: { tab: 'nodes' } }}
      className={styles.count}
      label={`${nodesText(count)} in ${visibleText(group.name)}`}
    >
      {count.toLocaleString('en')}
    </QuickLink>
  );
}
