/** The groups below their parents. */

import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { visibleText } from '../../lib/visible-text.ts';
import type { GroupDrafts } from './draft.ts';
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
  return (
    <nav aria-label="Node groups">
      <Branch groups={roots} below={below} edited={edited} selected={selected} />
    </nav>
  );
}

interface BranchProps {
  readonly groups: readonly GroupDefinition[];
  readonly below: ReadonlyMap<string, readonly GroupDefinition[]>;
  readonly edited: ReadonlySet<string>;
  readonly selected: string | undefined;
}

function Branch({ below, edited, groups, selected }: BranchProps): ReactElement {
  const { tab } = route.useSearch();
  const sorted = groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return (
    <ul className={styles.branch}>
      {sorted.map((group) => (
        <li key={group.id}>
          <Link
            to="/groups/{-$id}"
            params={{ id: group.id }}
            search={{ tab }}
            className={`${styles.groupLink} ${group.id === selected ? styles.selected : ''}`}
            aria-current={group.id === selected ? 'true' : undefined}
          >
            <span className={styles.groupName}>{visibleText(group.name)}</span>
            {group.environment_trumps ? <span className={styles.mark}>environment</span> : undefined}
            {edited.has(group.id) ? <span className={styles.edited}>edited</span> : undefined}
          </Link>
          {below.has(group.id) ? (
            <Branch groups={below.get(group.id) ?? []} below={below} edited={edited} selected={selected} />
          ) : undefined}
        </li>
      ))}
    </ul>
  );
}
