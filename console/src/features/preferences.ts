/**
 * The user's theme, density, keys and time zone. The server stores them for all devices; the browser keeps a copy, so that a page has its theme
 * from the first moment.
 */

import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Preferences, readPreferences, savePreferences } from '../api/preferences.ts';

const key = 'bunraku.preferences';
const usual: Preferences = { theme: 'system', density: 'usual', letter_keys: true, time_zone: '' };

const preferencesQuery: UseQueryOptions<Preferences> = {
  queryKey: ['preferences'],
  queryFn: ({ signal }) => readPreferences(signal),
  staleTime: 60_000,
};

/** Those of the last visit with this browser. */
export function storedPreferences(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>) };
  } catch {
    return usual; // somebody else has written there
  }
}

export function applyPreferences({ density, theme, time_zone: zone }: Preferences): void {
  const { dataset } = document.documentElement;
  dataset['density'] = density;
  if (zone === '') delete dataset['timeZone'];
  else dataset['timeZone'] = zone;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}

export interface ChosenPreferences {
  readonly preferences: Preferences;
  /** Applies at once, and is kept for other devices. */
  readonly change: (part: Partial<Preferences>) => void;
}

export function usePreferences(): ChosenPreferences {
  const queries = useQueryClient();
  const { data } = useQuery(preferencesQuery);
  const preferences = data ?? storedPreferences();
  useEffect(() => {
    if (data === undefined) return;
    localStorage.setItem(key, JSON.stringify(data));
    applyPreferences(data);
  }, [data]);
  const change = (part: Partial<Preferences>) => {
    const wanted = { ...preferences, ...part };
    queries.setQueryData(['preferences'], wanted);
    savePreferences(wanted).catch(() => {
      // This browser has them all the same; the server is asked again with the next page.
      void queries.invalidateQueries({ queryKey: ['preferences'], refetchType: 'none' });
    });
  };
  return { preferences, change };
}
