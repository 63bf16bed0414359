/** `?` lists the keys. */

import { type ReactElement, useEffect, useState } from 'react';
import type { Session } from '../api/session.ts';
import { usePreferences } from '../features/preferences.ts';
import { FactList } from '../ui/fact-list.tsx';
import { visibleSections } from './navigation.ts';
import { ShellModal } from './shell-modal.tsx';
import { isLetterKey } from './use-go-keys.ts';

const general: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K', 'search'],
  ['/', 'filter of the list'],
  ['j k, arrows', 'from row to row of a list'],
  ['Enter', 'open the row'],
  ['x, Shift x', 'select the row, or all rows up to it'],
  ['r', 'run Puppet, a task or a query'],
  ['.', 'first action of the page'],
  ['[ ]', 'tab before, tab after'],
  ['e', 'export'],
  ['Esc', 'close'],
];

export function KeysHelp({ session }: { readonly session: Session }): ReactElement | undefined {
  const [isOpen, setOpen] = useState(false);
  const { letter_keys: hasLetterKeys } = usePreferences().preferences;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || !hasLetterKeys || !isLetterKey(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [hasLetterKeys]);
  if (!isOpen) return undefined;
  const places = visibleSections(session).flatMap((section) => section.places);
  const all = [...general, ...places.map(({ key, title }) => [`g ${key}`, title] as const)];
  return (
    <ShellModal title="Keys" onClose={() => setOpen(false)}>
      <FactList facts={all.map(([keys, what]) => ({ name: keys, value: what }))} />
    </ShellModal>
  );
}
