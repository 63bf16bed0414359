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

/** Who uses the page, and what they may do. It is there before any page is. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}
