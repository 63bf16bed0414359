/** One group, as it would be with the edits. */

import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { GroupRow } from '../../api/classifier.ts';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { GroupDrafts } from './draft.ts';
import { GroupActivity } from './group-activity.tsx';
import { GroupSettings } from './group-settings.tsx';
import { MatchingNodes } from './matching-nodes.tsx';
import styles from './page.module.css';
import { Rules } from './rules.tsx';
import { groupTabs } from './search.ts';
import { Classes, Data, Variables } from './values.tsx';
import { Versions } from './versions.tsx';

const route = getRouteApi('/groups/{-$id}');

interface GroupViewProps {
  readonly group: GroupDefinition;
  /** As it is committed; absent for a new one. */
  readonly stored: GroupRow | undefined;
  readonly drafts: GroupDrafts;
}

export function GroupView({ drafts, group, stored }: GroupViewProps): ReactElement {
  const { tab = 'rules' } = route.useSearch();
  const navigate = route.useNavigate();
  const select = (id: string) => {
    const chosen = groupTabs.find((each) => each === id);
    void navigate({ search: { tab: chosen === 'rules' ? undefined : chosen } });
  };
  const isNew = stored === undefined;
  const conflict = drafts.conflicts.find((each) => each.kind === 'edit' && each.mine.id === group.id);
  const part = { group, groups: drafts.groups, missing: stored?.deleted ?? {}, onChange: drafts.change };
  return (
    <article aria-label={group.name}>
      <Link to="/groups/{-$id}" params={{ id: undefined }} className={styles.back}>
        All groups
      </Link>
      <header className={styles.groupHead}>
        <h2 className={styles.title}>{visibleText(group.name)}</h2>
        {group.description === undefined ? undefined : <p>{visibleText(group.description)}</p>}
        <Place group={group} groups={drafts.groups} />
        <GroupSettings group={group} drafts={drafts} />
      </header>
      {conflict?.kind !== 'edit' ? undefined : <Versions conflict={conflict} drafts={drafts} />}
      <Tabs
        label="Parts of the group"
        selected={tab}
        onSelect={select}
        tabs={[
          { id: 'rules', title: 'Rules', render: () => <Rules {...part} /> },
          {
            id: 'nodes',
            title: 'Matching nodes',
            render: () => <MatchingNodes id={group.id} isNew={isNew} />,
          },
          { id: 'classes', title: 'Classes', render: () => <Classes {...part} /> },
          {
            id: 'configuration',
            title: 'Configuration',
            render: () => (
              <div className={styles.sections}>
                <Data {...part} />
                <Classes {...part} />
              </div>
            ),
          },
          { id: 'variables', title: 'Variables', render: () => <Variables {...part} /> },
          { id: 'activity', title: 'Activity', render: () => <GroupActivity id={group.id} /> },
        ]}
      />
    </article>
  );
}

interface PlaceProps {
  readonly group: GroupDefinition;
  readonly groups: readonly GroupDefinition[];
}

function Place({ group, groups }: PlaceProps): ReactElement {
  const parent = groups.find(({ id }) => id === group.parent);
  return (
    <FactList
      facts={[
        ...(parent === undefined || parent.id === group.id
          ? []
          : [{ name: 'Parent', value: visibleText(parent.name) }]),
        {
          name: 'Environment',
          value: `${visibleText(group.environment)}${group.environment_trumps ? ' (overrides other groups)' : ''}`,
        },
      ]}
    />
  );
}
