/** What is around every page: navigation, account, and the way back in when the session has ended. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import type { Session } from '../api/session.ts';
import { QuickLink } from '../features/quick-link.tsx';
import { SessionContext, sessionQuery } from '../features/session.ts';
import { afterFrame } from '../lib/after-frame.ts';
import { Button } from '../ui/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentFilter } from './environment-filter.tsx';
import { ExactTime } from './exact-time.tsx';
import { HeaderCounts } from './header-counts.tsx';
import icon from './icon.svg';
import { KeysHelp } from './keys-help.tsx';
import { LiveProvider } from './live-provider.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { noParts, visibleSections } from './navigation.ts';
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
          <Navigation session={session} isOpen={isOpen} />
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

function Navigation({
  isOpen,
  session,
}: {
  readonly isOpen: boolean;
  readonly session: Session;
}): ReactElement {
  const list = useRef<HTMLElement>(null);
  // Where the page leads that is being opened: its entry is marked at once.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The router puts the list where it was on an earlier visit, when the page has come.
  const resolved = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // The list is longer than low windows: keep the current entry visible.
  useEffect(() => {
    // Before it, the browser would have to find out at once where everything is.
    return afterFrame(() =>
      list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
    );
  }, [path, resolved]);
  return (
    <nav ref={list} aria-label="Pages" className={`${styles.navigation} ${isOpen ? styles.open : ''}`}>
      {visibleSections(session).map(({ places, title }) => (
        <div key={title ?? ''} className={styles.section}>
          {title === undefined ? undefined : <p className={styles.sectionTitle}>{title}</p>}
          <ul>
            {places.map(({ icon: Icon, title: name, to }) => (
              <li key={to}>
                <QuickLink
                  link={{ to, params: noParts }}
                  className={`${styles.place} ${isBelow(path, to) ? styles.current : ''}`}
                  current={isBelow(path, to) ? 'page' : undefined}
                >
                  <Icon size={16} aria-hidden />
                  {name}
                </QuickLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** @param to - of a page, perhaps with a part that may be absent: `/groups/{-$id}` */
function isBelow(path: string, to: string): boolean {
  const page = to.replace(/\/\{.*/, '');
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
