/** Single-letter keys: `g` and a letter opens a page, `/` focuses the filter, the others act on the current page. */

import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Session } from '../api/session.ts';
import { usePreferences } from '../features/preferences.ts';
import { noParts, visibleSections } from './navigation.ts';

/** How long a letter may follow `g`. */
const waitMs = 1000;
/** Before any key: a page that has just been loaded is younger than `waitMs`. */
const never = Number.NEGATIVE_INFINITY;

export function useGoKeys(session: Session): void {
  const navigate = useNavigate();
  const { letter_keys: hasLetterKeys } = usePreferences().preferences;
  useEffect(() => {
    let lastG = never;
    const listen = (event: KeyboardEvent) => {
      if (!hasLetterKeys || event.altKey || !isLetterKey(event)) return;
      if (event.key === '/') focusFilter(event);
      const places = visibleSections(session).flatMap((section) => section.places);
      const place = places.find(({ key }) => key === event.key);
      if (place !== undefined && event.timeStamp - lastG < waitMs)
        void navigate({ to: place.to, params: noParts });
      else pageKeys[event.key]?.();
      lastG = event.key === 'g' ? event.timeStamp : never;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [navigate, session, hasLetterKeys]);
}

/** Actions on the current page. Keys without a matching element do nothing. */
const pageKeys: Readonly<Record<string, () => void>> = {
  '[': () => stepTab(-1),
  ']': () => stepTab(1),
  r: () =>
    buttons()
      .find((button) => /^Run\b/.test(button.textContent))
      ?.click(),
  e: () => document.querySelector<HTMLElement>('main [aria-label^="Export"]')?.focus(),
  '.': () => buttons()[0]?.focus(),
};

function buttons(): readonly HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>('main button:not([disabled])'));
}

function stepTab(step: number): void {
  const tabs = Array.from(document.querySelectorAll<HTMLElement>('main [role=tab]'));
  const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
  tabs[at + step]?.click();
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLInputElement>('input[type=search]');
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
}

/** Whether a key is meant for the page: not for a field, and not for a dialog, whose field may not have the focus yet. */
export function isLetterKey({ ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || document.querySelector('[role=dialog]') !== null) return false;
  return !(
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
