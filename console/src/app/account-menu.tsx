/** Who is logged in. The menu is fetched when the first page is there. */

import { type ReactElement, Suspense, useState } from 'react';
import type { Session } from '../api/session.ts';
import styles from './account-menu.module.css';
import { AccountName, accountLabel } from './account-name.tsx';
import { lazyPart } from './lazy-part.ts';

const Opened = lazyPart(async () => (await import('./opened-account-menu.tsx')).OpenedAccountMenu);

export function AccountMenu({ session }: { readonly session: Session }): ReactElement {
  const [isOpened, setOpened] = useState(false);
  const closed = (
    <button
      type="button"
      className={styles.trigger}
      aria-label={accountLabel(session)}
      aria-haspopup="true"
      aria-expanded={false}
      onClick={() => setOpened(true)}
    >
      <AccountName session={session} />
    </button>
  );
  return isOpened ? (
    <Suspense fallback={closed}>
      <Opened session={session} />
    </Suspense>
  ) : (
    closed
  );
}
