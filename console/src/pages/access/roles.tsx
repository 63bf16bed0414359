/** Roles: what they allow, and who has them. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { RoleRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { allRoles } from './queries.ts';
import { RoleEditor } from './role-editor.tsx';

const route = getRouteApi('/access/{-$tab}');

export function Roles(): ReactElement {
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const roles = useQuery(allRoles());
  if (roles.data === undefined) return <Pending query={roles} what="The roles" />;
  if (id === 'new') return <RoleEditor role={undefined} />;
  if (id !== undefined) {
    const role = roles.data.find((each) => String(each.id) === id);
    return role === undefined ? (
      <Empty title="There is no such role">It may have been deleted.</Empty>
    ) : (
      <RoleEditor key={JSON.stringify(role)} role={role} />
    );
  }
  return (
    <>
      {mayDo(session, 'user_roles', 'create') ? (
        <div className={styles.filter}>
          <Button onPress={() => void navigate({ search: { id: 'new' } })}>Add role</Button>
        </div>
      ) : undefined}
      <DataTable label="Roles" columns={columns} rows={roles.data} rowKey={(role) => String(role.id)} />
    </>
  );
}

const columns: readonly Column<RoleRow>[] = [
  {
    id: 'name',
    title: 'Role',
    width: 'minmax(140px, 1fr)',
    narrow: 'first',
    render: ({ display_name: name, id }) => (
      <Link to="/access/{-$tab}" params={{ tab: 'roles' }} search={{ id: String(id) }}>
        {visibleText(name)}
      </Link>
    ),
  },
  {
    id: 'description',
    title: 'Description',
    width: 'minmax(160px, 3fr)',
    narrow: 'detail',
    render: ({ description }) => <span title={description}>{visibleText(description)}</span>,
  },
  {
    id: 'permissions',
    title: 'Permissions',
    width: '96px',
    isNumeric: true,
    render: ({ permissions }) => permissions.length,
  },
  { id: 'users', title: 'Users', width: '72px', isNumeric: true, render: ({ user_ids: ids }) => ids.length },
  {
    id: 'groups',
    title: 'Groups',
    width: '72px',
    isNumeric: true,
    render: ({ group_ids: ids }) => ids.length,
  },
];
