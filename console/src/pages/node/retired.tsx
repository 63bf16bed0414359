/** Shows when and by whom a node was retired. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { NodeRow } from '../../api/puppetdb.ts';
import { maySeeActivity } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import styles from './page.module.css';
import { changesOf } from './queries.ts';

const retiring = new Set(['clean', 'deactivate', 'revoke']);

export function Retired({ node }: { readonly node: NodeRow }): ReactElement | undefined {
  const gone = node.deactivated ?? node.expired;
  const isDeactivated = node.deactivated !== null;
  const session = useSession();
  const { data: changes = [] } = useQuery({
    ...changesOf(node.certname),
    enabled: isDeactivated && maySeeActivity(session),
  });
  if (gone === null) return undefined;
  const change = changes.find(({ events }) => events.some(({ action }) => retiring.has(action)));
  return (
    <p className={styles.note}>
      <strong>{isDeactivated ? 'Retired' : 'Expired'}</strong> <Age time={gone} />
      {change === undefined ? undefined : (
        <>
          {' '}
          by{' '}
          <Link to="/activity/$id" params={{ id: String(change.id) }}>
            {visibleText(change.by.name)}
          </Link>
        </>
      )}
      : queries no longer find its facts and catalog. It becomes active again with its next run.
    </p>
  );
}
