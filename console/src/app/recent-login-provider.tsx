/** Asks for the password where a change needs a login of the last minutes, over whatever asks for the change. */

import { type ReactElement, type ReactNode, useCallback, useState } from 'react';
import { LoginContext } from '../features/log-in-again.ts';
import { useSession } from '../features/session.ts';
import { LoginForm } from './login-form.tsx';
import { ShellModal } from './shell-modal.tsx';

export function RecentLoginProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const { begun, user } = useSession();
  const [asked, setAsked] = useState<{ readonly answer: (hasLoggedIn: boolean) => void }>();
  const ask = useCallback(() => {
    const answered = Promise.withResolvers<boolean>();
    setAsked({ answer: answered.resolve });
    return answered.promise;
  }, []);
  const end = (hasLoggedIn: boolean) => {
    asked?.answer(hasLoggedIn);
    setAsked(undefined);
  };
  return (
    <LoginContext value={ask}>
      {children}
      {asked === undefined ? undefined : (
        <ShellModal title="Log in again" isNarrow onClose={() => end(false)}>
          <LoginForm
            login={user.login}
            begun={begun}
            onLoggedIn={() => end(true)}
            onCancel={() => end(false)}
          >
            Changes of users, roles, tokens and directories, and certificates with additional rights, require
            a log-in within the last 15 minutes. Your change continues after it.
          </LoginForm>
        </ShellModal>
      )}
    </LoginContext>
  );
}
