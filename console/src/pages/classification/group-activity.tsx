/** Recorded changes of the group: author, difference, and revert. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type ActivityChange, readChanges } from '../../api/activity.ts';
import { maySeeActivity } from '../../api/session.ts';
import { changeById } from '../../features/change/change-queries.ts';
import { ChangedValues } from '../../features/change/changed-values.tsx';
import { Revert } from '../../features/change/revert.tsx';
import { useTopic } from '../../features/live.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Loaded, Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import activityStyles from './group-activity.module.css';

const route = getRouteApi('/groups/{-$id}');

function changesOf(id: string): UseQueryOptions<readonly ActivityChange[]> {
  return {
    queryKey: ['activity', 'of-group', id],
    queryFn: async ({ signal }) =>
      (await readChanges({ object_type: 'node_groups', object_id: id }, undefined, signal)).changes,
  };
}

export function GroupActivity({ id }: { readonly id: string }): ReactElement {
  const { change: opened } = route.useSearch();
  const changes = useQuery(changesOf(id));
  useTopic('activity', maySeeActivity(useSession()));
  if (changes.data === undefined) return <Pending query={changes} what="The changes" />;
  if (changes.data.length === 0)
    return <Empty title="No changes yet">Changes of the group and their authors appear here.</Empty>;
  return (
    <section aria-label="Activity">
      <ol className={activityStyles.changes}>
        {changes.data.map((change) => (
          <li key={change.id}>
            <ChangeLine change={change} isOpen={String(change.id) === opened} />
            {String(change.id) === opened ? <Details id={opened} /> : undefined}
          </li>
        ))}
      </ol>
      <p className={activityStyles.all}>
        <Link to="/activity" search={{ object: `node_groups:${id}` }}>
          Show them under Activity
        </Link>
      </p>
    </section>
  );
}

interface ChangeLineProps {
  readonly change: ActivityChange;
  readonly isOpen: boolean;
}

function ChangeLine({ change, isOpen }: ChangeLineProps): ReactElement {
  const { by, events, id, time } = change;
  return (
    <div className={activityStyles.changeLine}>
      <Link
        to="."
        search={(before) => ({ ...before, change: isOpen ? undefined : String(id) })}
        resetScroll={false}
        aria-expanded={isOpen}
      >
        {events.map(({ message }) => visibleText(message)).join('; ')}
      </Link>
      <span className={activityStyles.by}>
        {visibleText(by.name)}, <Age time={time} />
      </span>
    </div>
  );
}

function Details({ id }: { readonly id: string }): ReactElement {
  const change = useQuery(changeById(id));
  const navigate = route.useNavigate();
  return (
    <Loaded query={change} what="The change" rows={2}>
      {(found) => (
        <div className={activityStyles.details}>
          <ChangedValues change={found} />
          <Revert
            change={found}
            onReverted={() => navigate({ search: (before) => ({ ...before, change: undefined }) })}
          />
        </div>
      )}
    </Loaded>
  );
}
