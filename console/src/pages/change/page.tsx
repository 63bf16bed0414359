/** One change: who made it, old and new values, and the way back. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { WholeChange } from '../../api/activity.ts';
import { changeById } from '../../features/change/change-queries.ts';
import { ChangedValues } from '../../features/change/changed-values.tsx';
import { Revert } from '../../features/change/revert.tsx';
import { ChangedObject, objectWords } from '../../features/changed-object.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import styles from './page.module.css';

const route = getRouteApi('/activity/$id');

export function ChangePage(): ReactElement {
  const { id } = route.useParams();
  const change = useQuery(changeById(id));
  return (
    <>
      <PageHeader above={<Link to="/activity">Activity</Link>} title={`Change ${id}`} />
      {change.data !== undefined ? (
        <Change change={change.data} />
      ) : (
        <Pending query={change} what="The change" />
      )}
    </>
  );
}

const authorWords: Readonly<Record<string, string>> = {
  certificate: 'certificate',
  webhook: 'webhook',
  server: 'the server itself',
  anonymous: 'anonymous',
};

function Change({ change }: { readonly change: WholeChange }): ReactElement {
  const { address, by, events, object } = change;
  const kind = authorWords[by.kind];
  return (
    <div className={styles.change}>
      <FactList
        facts={[
          {
            name: 'By',
            value: (
              <Link to="/activity" search={{ author: by.name }}>
                {visibleText(by.name)}
              </Link>
            ),
          },
          ...(kind === undefined ? [] : [{ name: 'Acts as', value: kind }]),
          { name: 'When', value: exactTime(new Date(change.time)) },
          { name: 'From', value: address ?? 'this server' },
          { name: objectWords[object.type] ?? object.type, value: <ChangedObject object={object} /> },
        ]}
      />
      <section aria-labelledby="what">
        <h2 id="what">What was done</h2>
        <ul className={styles.events}>
          {events.map(({ message }) => (
            <li key={message}>{visibleText(message)}</li>
          ))}
        </ul>
      </section>
      {change.has_before || change.has_after ? <ChangedValues change={change} /> : undefined}
      <section aria-labelledby="back">
        <h2 id="back">Revert</h2>
        <Revert change={change} />
      </section>
      <p>
        <Link to="/activity" search={{ object: `${object.type}:${object.id}` }}>
          All changes of this object
        </Link>
      </p>
    </div>
  );
}
