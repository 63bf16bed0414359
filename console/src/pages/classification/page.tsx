/** Node groups: which nodes they match, and what they give them. Edits collect until they are committed together. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { GroupRow } from '../../api/classifier.ts';
import { ApiError } from '../../api/client.ts';
import { mayDo } from '../../api/session.ts';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { AddGroup } from './add-group.tsx';
import { ChangedDeletion } from './changed-deletion.tsx';
import { CommitBar } from './commit-bar.tsx';
import { useGroupDrafts } from './draft.ts';
import { GroupView } from './group-view.tsx';
import styles from './page.module.css';
import { groupList } from './queries.ts';
import { GroupTree } from './tree.tsx';

const route = getRouteApi('/groups/{-$id}');

export function ClassificationPage(): ReactElement {
  const groups = useQuery(groupList());
  useTopic('groups');
  useTopic('nodes', mayDo(useSession(), 'nodes', 'view_data'));
  return (
    <>
      <PageHeader title="Classification" />
      {groups.data === undefined ? <Pending query={groups} /> : <Groups stored={groups.data} />}
    </>
  );
}

interface PendingProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
}

function Pending({ query: { error, refetch } }: PendingProps): ReactElement {
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title="This installation has no classifier">
        The setting <code>node_terminus</code> names what classifies nodes here.
      </Empty>
    );
  if (error !== null)
    return <Failure title="The groups can’t be shown" error={error} onRetry={() => refetch()} />;
  return <LoadingRows label="The groups are loading" rows={10} />;
}

function Groups({ stored }: { readonly stored: readonly GroupRow[] }): ReactElement {
  const { id } = route.useParams();
  const drafts = useGroupDrafts(stored);
  const group = drafts.groups.find((each) => each.id === id);
  const deletion = drafts.conflicts.find((each) => each.kind === 'deletion' && each.base.id === id);
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <GroupTree drafts={drafts} selected={id} />
        <AddGroup groups={drafts.groups} onAdd={drafts.change} />
      </div>
      <div className={styles.main}>
        {group !== undefined ? (
          <GroupView
            key={group.id}
            group={group}
            stored={stored.find((each) => each.id === group.id)}
            drafts={drafts}
          />
        ) : deletion?.kind === 'deletion' ? (
          <ChangedDeletion conflict={deletion} drafts={drafts} />
        ) : (
          <Empty title={id === undefined ? 'Select a group' : 'There is no such group'}>
            A group matches nodes by rules or pins and assigns classes, parameters, variables and an
            environment to them. Groups inherit from the groups above them.
          </Empty>
        )}
      </div>
      <CommitBar drafts={drafts} />
    </div>
  );
}
