/** Who may do what: users, roles, groups of directories, tokens, directories. */

import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo, type Session } from '../../api/session.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Directories } from './directories.tsx';
import { UserGroups } from './groups.tsx';
import { Roles } from './roles.tsx';
import { type AccessTab, accessTabs } from './search.ts';
import { TokensTab } from './tokens.tsx';
import { Users } from './users.tsx';

const route = getRouteApi('/access/{-$tab}');

const parts: Readonly<Record<AccessTab, readonly [title: string, render: () => ReactElement]>> = {
  users: ['Users', () => <Users />],
  roles: ['Roles', () => <Roles />],
  groups: ['Groups', () => <UserGroups />],
  tokens: ['Tokens', () => <TokensTab />],
  directories: ['Directories', () => <Directories />],
};

export function AccessPage(): ReactElement {
  const { tab = 'users' } = route.useParams();
  const navigate = route.useNavigate();
  const session = useSession();
  const known = accessTabs.find((each) => each === tab);
  return (
    <>
      <PageHeader title="Access control" />
      {known === undefined ? (
        <Empty title="There is no such part">Choose users, roles, groups, tokens or directories.</Empty>
      ) : (
        <Tabs
          label="Parts of access control"
          selected={known}
          onSelect={(id) => void navigate({ params: { tab: id === 'users' ? undefined : id }, search: {} })}
          tabs={visibleTabs(session).map((id) => ({ id, title: parts[id][0], render: parts[id][1] }))}
        />
      )}
    </>
  );
}

function visibleTabs(session: Session): readonly AccessTab[] {
  return accessTabs.filter((id) => id !== 'directories' || mayDo(session, 'directory_service', 'edit'));
}
