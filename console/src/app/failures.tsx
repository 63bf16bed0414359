/** Pages that could not be shown, and addresses that show none. */

import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageHeader } from '../features/page-header.tsx';
import { Failure } from '../ui/states.tsx';

export function PageFailure({ error, reset }: ErrorComponentProps): ReactElement {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <Failure title="This page can’t be shown" error={error} onRetry={retry} />;
}

export function PageMissing(): ReactElement {
  return (
    <>
      <PageHeader title="Page not found" />
      <p>There is no page at this address.</p>
      <Link to="/">Go to Overview</Link>
    </>
  );
}
