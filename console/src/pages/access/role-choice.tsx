/** Which roles somebody has. */

import type { ReactElement } from 'react';
import type { RoleRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import styles from './page.module.css';

interface RoleChoiceProps {
  readonly roles: readonly RoleRow[];
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}

export function RoleChoice({ chosen, onChange, roles }: RoleChoiceProps): ReactElement {
  const session = useSession();
  const isForbidden = (id: number) => !mayDo(session, 'user_roles', 'edit_members', String(id));
  const toggle = (id: number, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className={styles.choice}>
      <legend>Roles</legend>
      {roles.map(({ description, display_name: name, id }) => (
        <label key={id} className={styles.option}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={isForbidden(id)}
            title={isForbidden(id) ? 'Needs the permission user_roles:edit_members' : undefined}
            onChange={(event) => toggle(id, event.target.checked)}
          />
          <span>
            {visibleText(name)}
            {description === '' ? undefined : <small>{visibleText(description)}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
