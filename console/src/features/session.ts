/** The session, as all of the console sees it. */

import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { readSession, type Session } from '../api/session.ts';

export const sessionKey = ['session'] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
  retry: false,
});

/** What the shell gives to all that is below it. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** The user and their permissions; loaded before any page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no session above this part of the page');
  return session;
}
