/** Over the page when the session has ended: what was typed below stays, nothing reloads. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { logIn } from '../api/session.ts';
import { sessionQuery } from '../features/session.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import styles from './login-dialog.module.css';
import { isUnauthorized } from './query-client.ts';

export function LoginDialog(): ReactElement | undefined {
  const { data, error } = useQuery(sessionQuery);
  if (!isUnauthorized(error)) return undefined;
  return (
    <Modal title="Your session has ended" isNarrow>
      <LoginForm login={data?.user.login ?? ''} />
    </Modal>
  );
}

function LoginForm({ login }: { readonly login: string }): ReactElement {
  const queries = useQueryClient();
  const [message, setMessage] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setMessage('');
    try {
      await logIn(String(form.get('login')), String(form.get('password')), String(form.get('code')));
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await queries.invalidateQueries();
    } catch (error) {
      setMessage(
        isUnauthorized(error)
          ? 'The login, the password or the code is wrong'
          : 'The server can’t be reached',
      );
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.text}>Log in again to go on. Nothing on the page is lost.</p>
      <label>
        Login
        <input name="login" defaultValue={login} autoComplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <label>
        One-time code
        <input name="code" autoComplete="one-time-code" aria-describedby="code" />
      </label>
      <p id="code" className={styles.text}>
        Only if you have turned on one-time codes.
      </p>
      <p role="alert" className={styles.message}>
        {message}
      </p>
      <Button type="submit" look="primary">
        Log in
      </Button>
    </form>
  );
}
