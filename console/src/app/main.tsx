/** Begins the console in the browser. */

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyPreferences, storedPreferences } from '../features/preferences.ts';
import { reloadOnceForMissingFiles } from './missing-files.ts';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';

applyPreferences(storedPreferences());
reloadOnceForMissingFiles();
const queries = createQueryClient();
const router = createConsoleRouter(queries);
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the console');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
