/** Begins the console in the browser. */

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyPreferences, storedPreferences } from '../features/preferences.ts';
import { sessionQuery } from '../features/session.ts';
import { overviewCounts } from '../pages/overview/queries.ts';
import { reloadOnceForMissingFiles } from './missing-files.ts';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';

applyPreferences(storedPreferences());
reloadOnceForMissingFiles();
const queries = createQueryClient();
const router = createConsoleRouter(queries);
// The session, the program of the page and what people look at first are fetched at the same time.
void queries.prefetchQuery(sessionQuery);
if (location.pathname === '/') {
  const environment = new URLSearchParams(location.search).get('environment');
  void queries.prefetchQuery(overviewCounts(environment ?? undefined));
}
const [routes] = router.getMatchedRoutes(location.pathname);
for (const route of routes) void router.loadRouteChunk(route);
void begin();

/** React holds back what waited for something by 300 ms: it begins when all is there. */
async function begin(): Promise<void> {
  await router.load();
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no place for the console');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
