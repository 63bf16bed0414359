/** The list of users, and the one that is open. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import type { RoleRow, UserRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddUser } from './add-user.tsx';
import styles from './page.module.css';
import { allRoles, userPages } from './queries.ts';
import { UserView } from './user.tsx';

const route = getRouteApi('/access/{-$tab}');

export function Users(): ReactElement {
  const { id, q } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const show = (open: string | undefined) => void navigate({ search: (before) => ({ ...before, id: open }) });
  if (id !== undefined && id !== 'new') return <UserView id={id} />;
  return (
    <>
      <div className={styles.filter}>
        <SearchField
          label="Search users"
          value={q ?? ''}
          placeholder="Login, name or email"
          onChange={search}
        />
        {mayDo(session, 'users', 'create') ? (
          <Button onPress={() => show('new')}>Add user</Button>
        ) : undefined}
      </div>
      <List />
      {id === 'new' ? <AddUser onClose={() => show(undefined)} /> : undefined}
    </>
  );
}

function List(): ReactElement {
  const { q } = route.useSearch();
  const users = useInfiniteQuery(userPages(q));
  const { data: roles = [] } = useQuery(allRoles());
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = users;
  const rows = useMemo(() => users.data?.pages.flatMap((page) => page.users) ?? [], [users.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (users.data === undefined) return <Pending query={users} what="The users" />;
  if (rows.length === 0) return <Empty title="No user matches">Search for a shorter part of a name.</Empty>;
  return (
    <DataTable
      label="Users"
      columns={columnsWith(roles)}
      rows={rows}
      total={users.data.pages.at(-1)?.pagination.total ?? rows.length}
      rowKey={({ id }) => id}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}

/** Roles of a user, those by groups of a directory included. */
export function rolesOf(user: UserRow, roles: readonly RoleRow[]): readonly RoleRow[] {
  const ids = [...user.role_ids, ...(user.inherited_role_ids ?? [])];
  return roles.filter(({ id }) => ids.includes(id));
}

/** What stands in the way of somebody's log-in, or where the account is kept. */
function stateOf({ is_remote, is_revoked, is_superuser }: UserRow): string {
  if (is_revoked) return 'Revoked';
  if (is_superuser) return 'Superuser';
  return is_remote ? 'From a directory' : '';
}

function columnsWith(roles: readonly RoleRow[]): readonly Column<UserRow>[] {
  return [
    {
      id: 'login',
      title: 'Login',
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      render: ({ id, login }) => (
        <Link to="/access/{-$tab}" params={{ tab: undefined }} search={{ id }}>
          {visibleText(login)}
        </Link>
      ),
    },
    {
      id: 'name',
      title: 'Name',
      width: 'minmax(120px, 1fr)',
      render: ({ display_name: name }) => visibleText(name),
    },
    {
      id: 'roles',
      title: 'Roles',
      width: 'minmax(160px, 2fr)',
      narrow: 'detail',
      render: (user) => {
        const names = rolesOf(user, roles).map(({ display_name: name }) => visibleText(name));
        return <span title={names.join(', ')}>{names.length === 0 ? 'None' : names.join(', ')}</span>;
      },
    },
    {
      id: 'state',
      title: 'State',
      width: '136px',
      render: (user) => <span className={user.is_revoked ? styles.warning : undefined}>{stateOf(user)}</span>,
    },
    {
      id: 'last',
      title: 'Last log-in',
      width: '96px',
      narrow: 'end',
      isNumeric: true,
      render: ({ last_login: time }) => <Age time={time} />,
    },
  ];
}
