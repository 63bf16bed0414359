/** Keys for those who don't reach for the mouse: `g` and a letter goes to a page, `/` to the filter. */

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
      lastG = event.key === 'g' ? event.timeStamp : 0;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [navigate, session, hasLetterKeys]);
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLInputElement>('input[type=search]');
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
