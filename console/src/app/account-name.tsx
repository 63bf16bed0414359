/** Who is logged in, as the button of the account menu says it. */

import { CircleUser } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Session } from '../api/session.ts';
import styles from './account-menu.module.css';

export function AccountName({ session }: { readonly session: Session }): ReactElement {
  return (
    <>
      <CircleUser size={18} aria-hidden />
      <span className={styles.name}>{nameOf(session)}</span>
    </>
  );
}

export function accountLabel(session: Session): string {
  return `Account of ${nameOf(session)}`;
}

function nameOf({ user: { display_name: name, login } }: Session): string {
  return name === '' ? login : name;
}
