/** Groups of directories whose members get roles. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { changeUserGroup, deleteUserGroup, importUserGroup, type UserGroupRow } from '../../api/access.ts';
import type { DirectoryRow } from '../../api/directories.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';
import { allDirectories, allRoles, allUserGroups } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

type Open = 'import' | { readonly group: UserGroupRow; readonly isDeleting: boolean };

export function UserGroups(): ReactElement {
  const session = useSession();
  const groups = useQuery(allUserGroups());
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  if (groups.data === undefined) return <Pending query={groups} what="The groups" />;
  return (
    <>
      {mayDo(session, 'user_groups', 'import') ? (
        <div className={styles.filter}>
          <Button onPress={() => setOpen('import')}>Import group</Button>
        </div>
      ) : undefined}
      {groups.data.length === 0 ? (
        <Empty title="No group of a directory is imported">
          Connect a directory, then import the groups whose members are to have roles here.
        </Empty>
      ) : (
        <Table groups={groups.data} onOpen={setOpen} />
      )}
      {open === undefined ? undefined : open === 'import' ? (
        <Import onClose={close} />
      ) : open.isDeleting ? (
        <Deletion group={open.group} onClose={close} />
      ) : (
        <RolesOfGroup group={open.group} onClose={close} />
      )}
    </>
  );
}

interface TableProps {
  readonly groups: readonly UserGroupRow[];
  readonly onOpen: (open: Open) => void;
}

function Table({ groups, onOpen }: TableProps): ReactElement {
  const session = useSession();
  const { data: roles = [] } = useQuery(allRoles());
  const mayDelete = mayDo(session, 'user_groups', 'delete');
  const columns: readonly Column<UserGroupRow>[] = [
    {
      id: 'name',
      title: 'Group',
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      render: ({ login }) => visibleText(login),
    },
    {
      id: 'roles',
      title: 'Roles',
      width: 'minmax(160px, 2fr)',
      narrow: 'detail',
      render: ({ role_ids: ids }) =>
        roles
          .filter(({ id }) => ids.includes(id))
          .map(({ display_name: name }) => visibleText(name))
          .join(', ') || 'None',
    },
    {
      id: 'members',
      title: 'Logged in',
      width: '96px',
      isNumeric: true,
      render: ({ user_ids: ids }) => ids.length,
    },
    {
      id: 'actions',
      title: 'Action',
      width: '144px',
      narrow: 'end',
      isNumeric: true,
      render: (group) => (
        <span className={styles.actions}>
          <Button
            look="quiet"
            label={`Roles of ${group.login}`}
            onPress={() => onOpen({ group, isDeleting: false })}
          >
            Roles
          </Button>
          {mayDelete ? (
            <Button
              look="quiet"
              label={`Delete ${group.login}`}
              onPress={() => onOpen({ group, isDeleting: true })}
            >
              Delete
            </Button>
          ) : undefined}
        </span>
      ),
    },
  ];
  return <DataTable label="Groups" columns={columns} rows={groups} rowKey={({ id }) => id} />;
}

function Import({ onClose }: { readonly onClose: () => void }): ReactElement {
  const session = useSession();
  const { data: roles = [] } = useQuery(allRoles());
  const { data: directories = [] } = useQuery(allDirectories(mayDo(session, 'directory_service', 'edit')));
  const { failure, isBusy, run } = useChange('rbac');
  const [login, setLogin] = useState('');
  const [directory, setDirectory] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const add = async () => {
    const wanted = directory === '' ? undefined : directory;
    if (await run(() => importUserGroup(login.trim(), chosen, wanted))) onClose();
  };
  return (
    <Dialog
      title="Import group"
      action="Import"
      isDisabled={isBusy || login.trim() === ''}
      failure={failure}
      failureTitle="The group was not imported"
      onAct={() => void add()}
      onClose={onClose}
    >
      <TextField label="Name of the group" value={login} onChange={setLogin} isRequired />
      {directories.length > 1 ? (
        <ChoiceField
          label="Directory"
          value={directory}
          options={choicesOf(directories)}
          onChange={setDirectory}
        />
      ) : undefined}
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
    </Dialog>
  );
}

function choicesOf(directories: readonly DirectoryRow[]): readonly (readonly [string, string])[] {
  return [
    ['', 'Choose one'],
    ...directories.map((each) => [each.id, visibleText(each.display_name)] as const),
  ];
}

interface GroupProps {
  readonly group: UserGroupRow;
  readonly onClose: () => void;
}

function RolesOfGroup({ group, onClose }: GroupProps): ReactElement {
  const { data: roles = [] } = useQuery(allRoles());
  const { failure, isBusy, run } = useChange('rbac');
  const [chosen, setChosen] = useState(group.role_ids);
  const commit = async () => {
    if (await run(() => changeUserGroup({ ...group, role_ids: chosen }))) onClose();
  };
  const count = group.user_ids.length;
  return (
    <Dialog
      title={`Roles of ${visibleText(group.login)}`}
      action="Commit"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void commit()}
      onClose={onClose}
    >
      <p className={styles.hint}>
        {count === 1 ? '1 member has' : `${count} members have`} logged in. All members of the group get these
        roles.
      </p>
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
    </Dialog>
  );
}

function Deletion({ group, onClose }: GroupProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const remove = async () => {
    if (await run(() => deleteUserGroup(group.id))) onClose();
  };
  return (
    <Dialog
      title={`Delete ${visibleText(group.login)}`}
      action="Delete"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>Its members lose the roles of the group. The directory itself is not changed.</p>
    </Dialog>
  );
}
