/** Keys for those who don't reach for the mouse: `g` and a letter goes to a page, `/` to the filter; others act on what is shown. */

import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Session } from '../api/session.ts';
import { usePreferences } from '../features/preferences.ts';
import { noParts, visibleSections } from './navigation.ts';

/** `g` counts for so long. */
const waitMs = 1000;

export function useGoKeys(session: Session): void {
  const navigate = useNavigate();
  const { letter_keys: hasLetterKeys } = usePreferences().preferences;
  useEffect(() => {
    let lastG = 0;
    const listen = (event: KeyboardEvent) => {
      if (!hasLetterKeys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') focusFilter(event);
      const places = visibleSections(session).flatMap((section) => section.places);
      const place = places.find(({ key }) => key === event.key);
      if (place !== undefined && event.timeStamp - lastG < waitMs)
        void navigate({ to: place.to, params: noParts });
      else pageKeys[event.key]?.();
      lastG = event.key === 'g' ? event.timeStamp : 0;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [navigate, session, hasLetterKeys]);
}

/** What a key does on the page that is shown; nothing where the page has no such thing. */
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

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
