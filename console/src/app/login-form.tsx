/** Name, password and code, over a page that stays as it is. */

import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react';
import { logIn } from '../api/session.ts';
import { sessionQuery } from '../features/session.ts';
import { Button } from '../ui/button.tsx';
import styles from './login-dialog.module.css';
import { isUnauthorized } from './query-client.ts';

const wrong = 'The login, the password or the code is wrong';

interface LoginFormProps {
  readonly login: string;
  /** When the session began that a new one has to follow; absent after its end. */
  readonly begun?: string | null;
  /** Why somebody is asked. */
  readonly children: ReactNode;
  readonly onLoggedIn?: () => void;
  readonly onCancel?: () => void;
}

export function LoginForm({ begun, children, login, onCancel, onLoggedIn }: LoginFormProps): ReactElement {
  const queries = useQueryClient();
  const [message, setMessage] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setMessage('');
    try {
      await logIn(String(form.get('login')), String(form.get('password')), String(form.get('code')));
      const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      // A session that is still there answers for a password that was wrong.
      if (begun !== undefined && session.begun === begun) return setMessage(wrong);
      onLoggedIn?.();
      await queries.invalidateQueries();
    } catch (error) {
      setMessage(isUnauthorized(error) ? wrong : 'The server can’t be reached');
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.text}>{children}</p>
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
      {onCancel === undefined ? undefined : <Button onPress={onCancel}>Cancel</Button>}
      <Button type="submit" look="primary">
        Log in
      </Button>
    </form>
  );
}
