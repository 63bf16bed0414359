/** The pages that people go to, on the left of every page. */

import { useRouter, useRouterState } from '@tanstack/react-router';
import { memo, type ReactElement, useEffect, useMemo, useRef } from 'react';
import type { Session } from '../api/session.ts';
import { QuickLink } from '../features/quick-link.tsx';
import { afterFrame, afterFrames } from '../lib/after-frame.ts';
import { noParts, type Place, visibleSections } from './navigation.ts';
import styles from './shell.module.css';

interface PageListProps {
  readonly session: Session;
  /** On a small screen. */
  readonly isOpen: boolean;
}

export function PageList({ isOpen, session }: PageListProps): ReactElement {
  const list = useRef<HTMLElement>(null);
  const sections = useMemo(() => visibleSections(session), [session]);
  // Where the page leads that is being opened: its entry is marked at once.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The addresses of all pages keep it.
  const environment = useRouterState({ select: ({ location }) => location.search.environment });
  // The list is longer than low windows: keep the current entry visible.
  const router = useRouter();
  useEffect(() => {
    const show = () =>
      list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
    // Before the frame, the browser would have to find out at once where everything is.
    const endFrames = afterFrames(show);
    // The router puts the list where it was on an earlier visit, when the page has come.
    const endRendered = router.subscribe('onRendered', () => void afterFrame(show));
    return () => {
      endFrames();
      endRendered();
    };
  }, [path, router]);
  return (
    <nav ref={list} aria-label="Pages" className={`${styles.navigation} ${isOpen ? styles.open : ''}`}>
      {sections.map(({ places, title }) => (
        <div key={title ?? ''} className={styles.section}>
          {title === undefined ? undefined : <p className={styles.sectionTitle}>{title}</p>}
          <ul>
            {places.map((place) => (
              <Entry
                key={place.to}
                place={place}
                isCurrent={isBelow(path, place.to)}
                environment={environment}
              />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface EntryProps {
  readonly place: Place;
  readonly isCurrent: boolean;
  readonly environment: string | undefined;
}

/** Rendered again only when it becomes the current one, or is no more. */
const Entry = memo(function Entry({ isCurrent, place }: EntryProps): ReactElement {
  const { icon: Icon, title, to } = place;
  return (
    <li>
      <QuickLink
        link={{ to, params: noParts }}
        className={`${styles.place} ${isCurrent ? styles.current : ''}`}
        current={isCurrent ? 'page' : undefined}
      >
        <Icon size={16} aria-hidden />
        {title}
      </QuickLink>
    </li>
  );
});

/** @param to - of a page, perhaps with a part that may be absent: `/groups/{-$id}` */
function isBelow(path: string, to: string): boolean {
  const page = to.replace(/\/\{.*/, '');
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
