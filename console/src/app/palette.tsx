/** The command palette: finds pages, nodes, groups and jobs, and runs actions. Its code is loaded when it is first opened. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import {
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  RouterProvider,
  SearchField,
} from 'react-aria-components';
import type { Preferences } from '../api/preferences.ts';
import type { Session } from '../api/session.ts';
import { pageActions } from '../features/page-actions.ts';
import { type ChosenPreferences, usePreferences } from '../features/preferences.ts';
import { afterFrame } from '../lib/after-frame.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Modal } from '../ui/modal.tsx';
import styles from './palette.module.css';
import { foundItems, localItems, type PaletteItem } from './palette-search.ts';

function commandsOf({ change }: ChosenPreferences): readonly PaletteItem[] {
  const themed = (theme: Preferences['theme'], title: string): PaletteItem => ({
    id: theme,
    section: 'Do',
    title,
    target: () => change({ theme }),
  });
  return [
    { id: 'copy', section: 'Do', title: 'Copy link', target: copyLink },
    themed('light', 'Light theme'),
    themed('dark', 'Dark theme'),
    themed('system', 'Theme of the system'),
  ];
}

const sections = ['This page', 'Nodes', 'Pages', 'Node groups', 'Jobs', 'Users', 'Do'] as const;
const waitMs = 150;

interface PaletteProps {
  readonly session: Session;
  readonly onClose: () => void;
}

export function Palette({ onClose, session }: PaletteProps): ReactElement {
  const navigate = useNavigate();
  const environment = useRouterState({ select: ({ location }) => location.search.environment });
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const settled = useSettled(text);
  const commands = commandsOf(usePreferences());
  // As they are when the palette opens: nothing on the page changes behind it.
  const [actions] = useState(pageActions);
  const sources = { session, queries, commands, actions };
  const { data: found = [] } = useQuery({
    queryKey: ['palette', settled],
    queryFn: ({ signal }) => foundItems(settled, sources, signal),
    placeholderData: (previous) => previous,
  });
  // The field is there at once; the list, which takes longer to render, in the next frame.
  const [isListed, setListed] = useState(false);
  useEffect(() => afterFrame(() => setListed(true)), []);
  const items = [...(text.trim() === '' ? [] : found), ...localItems(text, sources)];
  const act = (key: unknown) => {
    const item = items.find(({ id }) => id === key);
    onClose();
    if (typeof item?.target === 'function') item.target();
  };
  return (
    <Modal title="Search" onClose={onClose}>
      <RouterProvider navigate={(href) => void navigate({ href: within(href, environment) })}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField
            aria-label="Search pages, nodes, groups, jobs, users"
            autoFocus
            className={styles.search ?? ''}
          >
            <Input className={styles.field ?? ''} placeholder="web12, #group, :job, @user, >command" />
          </SearchField>
          <Menu
            aria-label="Found"
            className={styles.list ?? ''}
            onAction={act}
            renderEmptyState={() =>
              isListed ? <p className={styles.none}>Nothing has this in its name.</p> : null
            }
          >
            {sections.map((section) => (
              <Section
                key={section}
                title={section}
                items={isListed ? items.filter((item) => item.section === section) : []}
              />
            ))}
          </Menu>
        </Autocomplete>
      </RouterProvider>
    </Modal>
  );
}

function Section({
  items,
  title,
}: {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}): ReactElement | null {
  if (items.length === 0) return null;
  return (
    <MenuSection>
      <Header className={styles.title ?? ''}>{title}</Header>
      {items.map(({ id, target, title: name }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={name}
          className={styles.item ?? ''}
          {...(typeof target === 'string' ? { href: target } : {})}
        >
          {visibleText(name)}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** Another page, of the same environment. */
function within(href: string, environment: string | undefined): string {
  if (environment === undefined) return href;
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ environment })}`;
}

/** The text a moment after the last key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function copyLink(): void {
  navigator.clipboard.writeText(location.href).catch(() => {
    // not allowed: the address is in the browser's own field
  });
}
