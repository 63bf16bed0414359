/** The account menu when it has been opened once: theme, keys, and the way out. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useRef } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import type { Preferences } from '../api/preferences.ts';
import { logOut, type Session } from '../api/session.ts';
import { usePreferences } from '../features/preferences.ts';
import styles from './account-menu.module.css';
import { AccountName, accountLabel } from './account-name.tsx';

const themes: readonly (readonly [Preferences['theme'], string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function OpenedAccountMenu({ session }: { readonly session: Session }): ReactElement {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <MenuTrigger
      defaultOpen
      onOpenChange={(isOpen) => {
        // What had the focus before the first opening is not there any more.
        if (!isOpen) requestAnimationFrame(() => button.current?.focus());
      }}
    >
      <Button ref={button} className={styles.trigger ?? ''} aria-label={accountLabel(session)}>
        <AccountName session={session} />
      </Button>
      <Popover placement="bottom end" className={styles.popover ?? ''}>
        <Menu className={styles.menu ?? ''} aria-label="Account">
          <ThemeItems />
          <LetterKeyItem />
          <MenuSection className={styles.section ?? ''}>
            <Header className={styles.title ?? ''}>{`Bunraku ${session.version}`}</Header>
            <MenuItem className={styles.item ?? ''} onAction={() => void navigate({ to: '/account' })}>
              Looks, password, one-time codes
            </MenuItem>
            <MenuItem className={styles.item ?? ''} onAction={leave}>
              Log out
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ThemeItems(): ReactElement {
  const { change, preferences } = usePreferences();
  return (
    <MenuSection
      className={styles.section ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[preferences.theme]}
    >
      <Header className={styles.title ?? ''}>Theme</Header>
      {themes.map(([id, title]) => (
        <MenuItem key={id} id={id} className={styles.item ?? ''} onAction={() => change({ theme: id })}>
          {title}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function LetterKeyItem(): ReactElement {
  const { change, preferences } = usePreferences();
  const isOn = preferences.letter_keys;
  const toggle = () => change({ letter_keys: !isOn });
  return (
    <MenuSection
      className={styles.section ?? ''}
      selectionMode="multiple"
      selectedKeys={isOn ? ['letters'] : []}
    >
      <Header className={styles.title ?? ''}>Keys</Header>
      <MenuItem id="letters" className={styles.item ?? ''} onAction={toggle}>
        Single letters are shortcuts
      </MenuItem>
    </MenuSection>
  );
}

function leave(): void {
  void logOut()
    .catch(() => {
      // the session had ended already, or the server is away: the log-in page tells
    })
    .then(() => location.assign('/login?reason=logged-out'));
}
