/** The session, as all of the console sees it. */

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { readSession, type Session } from '../api/session.ts';

export const sessionKey = ['session'] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
  retry: false,
});

/** The user and their permissions; loaded before any page. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}
