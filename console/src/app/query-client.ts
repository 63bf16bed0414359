/** What has been asked of the server, and when it is asked again. */

import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { isLongList } from '../features/long-lists.ts';
import { sessionKey } from '../features/session.ts';

export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // One question tells whether the session has ended, however many requests were refused.
        const isSession = query.queryKey[0] === sessionKey[0];
        const hadSession = queries.getQueryData(sessionKey) !== undefined;
        if (isUnauthorized(error) && !isSession && hadSession)
          void queries.invalidateQueries({ queryKey: sessionKey });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < 2 && isTemporary(error),
        refetchOnWindowFocus: isShort,
        refetchOnReconnect: isShort,
        refetchOnMount: isShort,
      },
    },
  });
  return queries;
}

function isShort(query: { readonly state: { readonly data: unknown } }): boolean {
  return !isLongList(query);
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}
