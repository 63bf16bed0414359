/** The environment filter in the header. All pages keep it in their address. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo, type Session } from '../api/session.ts';
import { environmentNames } from '../features/environment-queries.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Select } from '../ui/select.tsx';
import styles from './shell.module.css';

const filtered = ['/', '/nodes', '/events', '/reports', '/facts', '/packages'] as const;

export function EnvironmentFilter({ session }: { readonly session: Session }): ReactElement | undefined {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const page = filtered.find((each) => each === path);
  return page === undefined || !mayDo(session, 'nodes', 'view_data') ? undefined : <Choice page={page} />;
}

function Choice({ page }: { readonly page: (typeof filtered)[number] }): ReactElement {
  const environment = useRouterState({ select: ({ location }) => location.search.environment });
  const navigate = useNavigate();
  const { data: names = [] } = useQuery(environmentNames());
  const all = environment === undefined || names.includes(environment) ? names : [...names, environment];
  const choose = (name: string) =>
    void navigate({
      to: page,
      search: (before) => ({ ...before, environment: name === '' ? undefined : name }),
    });
  return (
    <span className={styles.environment}>
      <Select
        label="Environment"
        value={environment ?? ''}
        options={[['', 'All environments'], ...all.map((name) => [name, visibleText(name)] as const)]}
        onChange={choose}
      />
    </span>
  );
}
