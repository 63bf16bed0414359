/** Over the page when the session has ended: what was typed below stays, nothing reloads. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sessionQuery } from '../features/session.ts';
import { LoginForm } from './login-form.tsx';
import { isUnauthorized } from './query-client.ts';
import { ShellModal } from './shell-modal.tsx';

export function LoginDialog(): ReactElement | undefined {
  const { data, error } = useQuery(sessionQuery);
  if (!isUnauthorized(error)) return undefined;
  return (
    <ShellModal title="Your session has ended" isNarrow>
      <LoginForm login={data?.user.login ?? ''}>
        Log in again to continue. Nothing on the page is lost.
      </LoginForm>
    </ShellModal>
  );
}
