/** One role: its name and what it allows. The roles that are always there can't be changed. */

import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { changeRole, createRole, deleteRole, type NewRole, type RoleRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useSession } from '../../features/session.ts';
import { useChange } from '../../features/use-change.ts';
import { apiCommand } from '../../lib/api-command.ts';
import { permissionText } from '../../lib/permissions.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';
import { PermissionPicker } from './permission-picker.tsx';

const route = getRouteApi('/access/{-$tab}');
/** Smaller numbers are those of roles that are always there. */
const firstOwnRoleId = 5;

const empty: NewRole = { display_name: '', description: '', permissions: [], user_ids: [], group_ids: [] };

/** @param role - absent for one that is being added */
export function RoleEditor({ role }: { readonly role: RoleRow | undefined }): ReactElement {
  const session = useSession();
  const isBuiltIn = role !== undefined && role.id < firstOwnRoleId;
  const mayEdit = !isBuiltIn && mayDo(session, 'user_roles', role === undefined ? 'create' : 'edit');
  const [draft, setDraft] = useState<NewRole>(role ?? empty);
  const count = changesBetween(role ?? empty, draft);
  return (
    <div className={styles.detail}>
      <p>
        <Link to="/access/{-$tab}" params={{ tab: 'roles' }} search={{}}>
          All roles
        </Link>
      </p>
      <h2 className={styles.name}>{role === undefined ? 'Add role' : visibleText(role.display_name)}</h2>
      {isBuiltIn ? (
        <p className={styles.hint}>
          {visibleText(role.description)} This role is always there and can’t be changed.
        </p>
      ) : (
        <div className={styles.fields}>
          <TextField
            label="Name"
            value={draft.display_name}
            onChange={(name) => setDraft({ ...draft, display_name: name })}
            isRequired
          />
          <TextField
            label="Description"
            value={draft.description}
            onChange={(description) => setDraft({ ...draft, description })}
          />
        </div>
      )}
      {role === undefined ? undefined : <Members role={role} />}
      <PermissionPicker
        permissions={draft.permissions}
        isReadOnly={!mayEdit}
        onChange={(permissions) => setDraft({ ...draft, permissions })}
      />
      {mayEdit ? (
        <CommitBar role={role} draft={draft} count={count} onDiscard={() => setDraft(role ?? empty)} />
      ) : undefined}
    </div>
  );
}

function Members({ role }: { readonly role: RoleRow }): ReactElement {
  const count = (all: readonly unknown[], one: string, many: string) =>
    all.length === 1 ? `1 ${one}` : `${all.length} ${many}`;
  return (
    <p className={styles.hint}>
      {count(role.user_ids, 'user has', 'users have')} this role, and{' '}
      {count(role.group_ids, 'group', 'groups')} of directories. Roles are given on the pages of users and
      groups.
    </p>
  );
}

interface CommitBarProps {
  readonly role: RoleRow | undefined;
  readonly draft: NewRole;
  readonly count: number;
  readonly onDiscard: () => void;
}

function CommitBar({ count, draft, onDiscard, role }: CommitBarProps): ReactElement {
  const navigate = route.useNavigate();
  const { failure, isBusy, run } = useChange('rbac');
  const [isDeleting, setDeleting] = useState(false);
  const commit = async () => {
    const work = role === undefined ? createRole(draft) : changeRole({ ...role, ...draft });
    if ((await run(() => work)) && role === undefined) await navigate({ search: {} });
  };
  const method = role === undefined ? 'POST' : 'PUT';
  const path = role === undefined ? '/rbac-api/v1/roles' : `/rbac-api/v1/roles/${role.id}`;
  const label = role === undefined ? 'Commit' : count === 1 ? 'Commit 1 change' : `Commit ${count} changes`;
  return (
    <section aria-label="Edits" className={styles.bar}>
      {failure === undefined ? undefined : <Failure title="The role was not stored" error={failure} />}
      <Button
        look="primary"
        isDisabled={isBusy || count === 0 || draft.display_name.trim() === ''}
        onPress={() => void commit()}
      >
        {label}
      </Button>
      {count === 0 ? undefined : <Button onPress={onDiscard}>Discard</Button>}
      {role === undefined ? undefined : <Button onPress={() => setDeleting(true)}>Delete role</Button>}
      <CommandButton text={apiCommand({ method, path, body: { ...role, ...draft } }, location.origin)} />
      {isDeleting && role !== undefined ? (
        <Deletion role={role} onClose={() => setDeleting(false)} />
      ) : undefined}
    </section>
  );
}

function Deletion({ onClose, role }: { readonly role: RoleRow; readonly onClose: () => void }): ReactElement {
  const navigate = route.useNavigate();
  const { failure, isBusy, run } = useChange('rbac');
  const users = role.user_ids.length;
  const remove = async () => {
    if (await run(() => deleteRole(role))) await navigate({ search: {} });
  };
  return (
    <Dialog
      title={`Delete the role ${visibleText(role.display_name)}`}
      action="Delete role"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>
        {users === 1 ? '1 user loses' : `${users} users lose`} what this role allows, and so{' '}
        {role.group_ids.length === 1 ? 'does 1 group' : `do ${role.group_ids.length} groups`} of directories.
      </p>
    </Dialog>
  );
}

function changesBetween(before: NewRole, after: NewRole): number {
  const [had, has] = [before.permissions.map(permissionText), after.permissions.map(permissionText)];
  return (
    (before.display_name === after.display_name ? 0 : 1) +
    (before.description === after.description ? 0 : 1) +
    has.filter((text) => !had.includes(text)).length +
    had.filter((text) => !has.includes(text)).length
  );
}
