/** What is around every page: navigation, account, and the way back in when the session has ended. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { SessionContext, sessionQuery } from '../features/session.ts';
import { Button } from '../ui/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentFilter } from './environment-filter.tsx';
import { ExactTime } from './exact-time.tsx';
import { HeaderCounts } from './header-counts.tsx';
import icon from './icon.svg';
import { KeysHelp } from './keys-help.tsx';
import { LiveProvider } from './live-provider.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { PageList } from './page-list.tsx';
import { PaletteButton } from './palette-button.tsx';
import { RecentLoginProvider } from './recent-login-provider.tsx';
import styles from './shell.module.css';
import { useGoKeys } from './use-go-keys.ts';

export function Shell(): ReactElement {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  useGoKeys(session);
  return (
    <SessionContext value={session}>
      <LiveProvider>
        <div className={styles.shell}>
          <a className={styles.skip} href="#content">
            Skip to the content
          </a>
          <header className={styles.header}>
            <span className={styles.toggle}>
              <Button
                look="quiet"
                label={isOpen ? 'Close the navigation' : 'Open the navigation'}
                onPress={() => setOpen(!isOpen)}
              >
                <Menu size={20} aria-hidden />
              </Button>
            </span>
            <Link to="/" className={styles.brand}>
              <img src={icon} width="22" height="22" alt="" />
              Bunraku
            </Link>
            <EnvironmentFilter session={session} />
            <HeaderCounts session={session} />
            <PaletteButton session={session} />
            <AccountMenu session={session} />
            <Opening />
          </header>
          <PageList session={session} isOpen={isOpen} />
          <main id="content" className={styles.main} tabIndex={-1}>
            <RecentLoginProvider>
              <Suspense>
                <Outlet />
              </Suspense>
            </RecentLoginProvider>
          </main>
          <KeysHelp session={session} />
          <LoginDialog />
          <ExactTime />
        </div>
      </LiveProvider>
    </SessionContext>
  );
}

/** A thin bar below the header while a page is being opened. */
function Opening(): ReactElement | undefined {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  return isLoading ? <div className={styles.opening} aria-busy="true" /> : undefined;
}
