/** The own account: what it may do, its password, one-time codes. */

import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { changePassword } from '../../api/account.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Failure } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Looks } from './looks.tsx';
import { OneTimeCodes } from './one-time-codes.tsx';
import styles from './page.module.css';

export function AccountPage(): ReactElement {
  const { ends, user } = useSession();
  return (
    <>
      <PageHeader title="Your account" />
      <div className={styles.page}>
        <FactList
          facts={[
            { name: 'Login', value: visibleText(user.login) },
            { name: 'Full name', value: visibleText(user.display_name) || 'None' },
            { name: 'Session ends', value: ends === null ? 'Never' : exactTime(new Date(ends)) },
            {
              name: 'Access',
              value: (
                <Link to="/access/{-$tab}" params={{ tab: undefined }} search={{ id: user.id }}>
                  Roles and tokens
                </Link>
              ),
            },
          ]}
        />
        <Looks />
        <Password />
        <OneTimeCodes />
      </div>
    </>
  );
}

function Password(): ReactElement {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isTyped = current !== '' && password !== '' && repeated !== '';
  const isDifferent = repeated !== '' && repeated !== password;
  const change = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      await changePassword(current, password);
      location.assign('/login?reason=password-set');
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p className={styles.hint}>
        Changing the password ends all your browser sessions, including this one. Tokens stay valid.
      </p>
      <TextField label="Current password" type="password" value={current} onChange={setCurrent} />
      <TextField label="New password" type="password" value={password} onChange={setPassword} />
      <TextField
        label="New password again"
        type="password"
        value={repeated}
        mistake={isDifferent ? 'The passwords differ' : undefined}
        onChange={setRepeated}
      />
      {failure === undefined ? undefined : <Failure title="The password was not changed" error={failure} />}
      <div>
        <Button look="primary" isDisabled={isBusy || !isTyped || isDifferent} onPress={() => void change()}>
          Change password
        </Button>
      </div>
    </section>
  );
}
