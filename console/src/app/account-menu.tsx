/** Who is logged in; theme, keys, and the way out. */

import { useNavigate } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { logOut, type Session } from '../api/session.ts';
import styles from './account-menu.module.css';
import { chooseLetterKeys, hasLetterKeys } from './letter-keys.ts';
import { chooseTheme, storedTheme, type Theme } from './theme.ts';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function AccountMenu({ session }: { readonly session: Session }): ReactElement {
  const { display_name, login } = session.user;
  const name = display_name === '' ? login : display_name;
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Account of ${name}`}>
        <CircleUser size={18} aria-hidden />
        <span className={styles.name}>{name}</span>
      </Button>
      <Popover placement="bottom end" className={styles.popover ?? ''}>
        <Menu className={styles.menu ?? ''} aria-label="Account">
          <ThemeItems />
          <LetterKeyItem />
          <MenuSection className={styles.section ?? ''}>
            <Header className={styles.title ?? ''}>{`Bunraku ${session.version}`}</Header>
            <MenuItem className={styles.item ?? ''} onAction={() => void navigate({ to: '/account' })}>
              Password and one-time codes
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
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <MenuSection
      className={styles.section ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
    >
      <Header className={styles.title ?? ''}>Theme</Header>
      {themes.map(([id, title]) => (
        <MenuItem key={id} id={id} className={styles.item ?? ''} onAction={() => choose(id)}>
          {title}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function LetterKeyItem(): ReactElement {
  const [isOn, setOn] = useState(hasLetterKeys);
  const toggle = () => {
    chooseLetterKeys(!isOn);
    setOn(!isOn);
  };
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
