/** One user: roles, what they allow, tokens, and what can be done about the account. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { changeUser, type UserRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { useChange } from '../../features/use-change.ts';
import { effectivePermissions, permissionText } from '../../lib/permissions.ts';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './page.module.css';
import { allRoles, userById } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';
import { TokenList } from './tokens.tsx';
import { UserActions } from './user-actions.tsx';
import { rolesOf } from './users.tsx';

export function UserView({ id }: { readonly id: string }): ReactElement {
  const user = useQuery(userById(id));
  return (
    <div className={styles.detail}>
      <p>
        <Link to="/access/{-$tab}" params={{ tab: undefined }} search={{}}>
          All users
        </Link>
      </p>
      {user.data !== undefined ? (
        <User key={JSON.stringify(user.data)} user={user.data} />
      ) : (
        <Pending query={user} what="The user" />
      )}
    </div>
  );
}

function User({ user }: { readonly user: UserRow }): ReactElement {
  const login = visibleText(user.login);
  return (
    <>
      <h2 className={styles.name}>{login}</h2>
      <FactList
        facts={[
          { name: 'Full name', value: visibleText(user.display_name) || 'None' },
          { name: 'Email', value: visibleText(user.email) || 'None' },
          {
            name: 'Last log-in',
            value: user.last_login === null ? 'Never' : exactTime(new Date(user.last_login)),
          },
          { name: 'Account', value: user.is_remote ? 'Kept by a directory' : 'Kept here' },
          { name: 'State', value: user.is_revoked ? 'Revoked' : 'May log in' },
          {
            name: 'Changes',
            value: (
              <Link to="/activity" search={{ author: user.login }}>
                By this user
              </Link>
            ),
          },
        ]}
      />
      <UserActions user={user} />
      <RolesOfUser user={user} />
      <Permissions user={user} />
      <section aria-label="Tokens">
        <h3>Tokens and sessions</h3>
        <TokenList filter={user.login} owner={user.id} />
      </section>
    </>
  );
}

function RolesOfUser({ user }: { readonly user: UserRow }): ReactElement {
  const { data: roles = [] } = useQuery(allRoles());
  const [chosen, setChosen] = useState(user.role_ids);
  const { failure, isBusy, run } = useChange('rbac');
  const count =
    chosen.filter((id) => !user.role_ids.includes(id)).length +
    user.role_ids.filter((id) => !chosen.includes(id)).length;
  const isSame = count === 0;
  return (
    <section aria-label="Roles">
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      {isSame ? undefined : (
        <p className={styles.buttons}>
          <Button
            look="primary"
            isDisabled={isBusy}
            onPress={() => void run(() => changeUser({ ...user, role_ids: chosen }))}
          >
            {count === 1 ? 'Commit 1 change' : `Commit ${count} changes`}
          </Button>
          <Button onPress={() => setChosen(user.role_ids)}>Discard</Button>
        </p>
      )}
      {failure === undefined ? undefined : <Failure title="The roles were not changed" error={failure} />}
    </section>
  );
}

function Permissions({ user }: { readonly user: UserRow }): ReactElement {
  const session = useSession();
  const { data: roles = [] } = useQuery(allRoles());
  const permissions = effectivePermissions(rolesOf(user, roles));
  return (
    <section aria-label="Permissions">
      <h3>What these roles allow</h3>
      {user.is_superuser ? (
        <p className={styles.hint}>This user is a superuser and may do everything, regardless of roles.</p>
      ) : permissions.length === 0 ? (
        <p className={styles.hint}>No permissions.</p>
      ) : (
        <ul className={styles.permissions}>
          {permissions.map(({ permission, roles: names }) => (
            <li key={permissionText(permission)}>
              <code>{permissionText(permission)}</code>
              <span className={styles.hint}>{names.map(visibleText).join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
      {mayDo(session, 'user_roles', 'edit') ? (
        <p>
          <Link to="/access/{-$tab}" params={{ tab: 'roles' }} search={{}}>
            Change what roles allow
          </Link>
        </p>
      ) : undefined}
    </section>
  );
}
