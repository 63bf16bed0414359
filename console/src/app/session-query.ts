/** The session, as all of the console sees it. */

import { queryOptions } from '@tanstack/react-query';
import { readSession } from '../api/session.ts';

export const sessionKey = ['session'] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
  retry: false,
});
