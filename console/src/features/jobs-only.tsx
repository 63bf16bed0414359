/** Pages of jobs, for those who may see them. */

import type { ReactElement, ReactNode } from 'react';
import { maySeeJobs } from '../api/session.ts';
import { Empty } from '../ui/states.tsx';
import { useSession } from './session.ts';

export function JobsOnly({ children }: { readonly children: ReactNode }): ReactElement {
  if (maySeeJobs(useSession())) return <>{children}</>;
  return (
    <Empty title="You may not see this page">
      It needs the permission <code>orchestrator:view</code>.
    </Empty>
  );
}
