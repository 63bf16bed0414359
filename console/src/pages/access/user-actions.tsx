/** What can be done about an account: a token, a new password, an end. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { allowReset, changeUser, deleteUser, removeSecondFactor, type UserRow } from '../../api/access.ts';
import { mayDo, type Session } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { GenerateToken } from './generate-token.tsx';
import styles from './page.module.css';

type Action = 'revoke' | 'reinstate' | 'delete' | 'reset' | 'factor';

interface Meaning {
  readonly button: string;
  readonly title: (login: string) => string;
  readonly text: string;
  /** @returns what is shown once */
  readonly act: (user: UserRow) => Promise<string | undefined>;
}

const meanings: Readonly<Record<Action, Meaning>> = {
  reset: {
    button: 'Password link',
    title: (login) => `A link for ${login} to set a new password`,
    text: 'The link works once, for a day. It also lets a user in again who was locked out after wrong passwords.',
    act: async ({ id }) =>
      `${location.origin}/auth/reset?${new URLSearchParams({ token: await allowReset(id) })}`,
  },
  factor: {
    button: 'Remove one-time codes',
    title: (login) => `Remove the one-time codes of ${login}`,
    text: 'For users who have lost their device. The password alone is enough from then on.',
    act: ({ id }) => removeSecondFactor(id).then(() => undefined),
  },
  revoke: {
    button: 'Revoke',
    title: (login) => `Revoke ${login}`,
    text: 'The user can no longer log in. All sessions end and all tokens become invalid.',
    act: (user) => changeUser({ ...user, is_revoked: true }).then(() => undefined),
  },
  reinstate: {
    button: 'Reinstate',
    title: (login) => `Reinstate ${login}`,
    text: 'The user can log in again. Tokens from before stay revoked.',
    act: (user) => changeUser({ ...user, is_revoked: false }).then(() => undefined),
  },
  delete: {
    button: 'Delete',
    title: (login) => `Delete ${login}`,
    text: 'The account and its tokens are deleted. The changes of the user stay in Activity.',
    act: (user) => deleteUser(user).then(() => undefined),
  },
};

/** The actions that fit this account and that the session is permitted. */
function actionsFor(user: UserRow, session: Session): readonly Action[] {
  const may = (action: string) => mayDo(session, 'users', action, user.id);
  const isOwn = session.user.id === user.id;
  return [
    ...(may('reset_password') && !user.is_remote ? (['reset'] as const) : []),
    ...(may('reset_password') && !user.is_remote && !isOwn ? (['factor'] as const) : []),
    ...(may('disable') && !user.is_superuser
      ? [user.is_revoked ? ('reinstate' as const) : ('revoke' as const)]
      : []),
    ...(may('edit') && !user.is_superuser ? (['delete'] as const) : []),
  ];
}

export function UserActions({ user }: { readonly user: UserRow }): ReactElement {
  const session = useSession();
  const [open, setOpen] = useState<Action | 'token'>();
  const close = () => setOpen(undefined);
  const isOwn = session.user.id === user.id;
  return (
    <p className={styles.buttons}>
      {isOwn || mayDo(session, 'users', 'reset_password', user.id) ? (
        <Button onPress={() => setOpen('token')}>Generate token</Button>
      ) : undefined}
      {actionsFor(user, session).map((action) => (
        <Button key={action} onPress={() => setOpen(action)}>
          {meanings[action].button}
        </Button>
      ))}
      {user.is_superuser ? (
        <span className={styles.hint}>This administrator can’t be revoked or deleted.</span>
      ) : undefined}
      {open === 'token' ? (
        <GenerateToken user={user} onClose={close} />
      ) : open === undefined ? undefined : (
        <Question action={open} user={user} onClose={close} />
      )}
    </p>
  );
}

interface QuestionProps {
  readonly action: Action;
  readonly user: UserRow;
  readonly onClose: () => void;
}

function Question({ action, onClose, user }: QuestionProps): ReactElement {
  const navigate = useNavigate();
  const { failure, isBusy, run } = useChange('rbac');
  const [shown, setShown] = useState<string>();
  const { act, button, text, title } = meanings[action];
  const decide = async () => {
    let once: string | undefined;
    const isDone = await run(async () => {
      once = await act(user);
      // Before everything is asked for anew: this user is not there any more.
      if (action === 'delete')
        await navigate({ to: '/access/{-$tab}', params: { tab: undefined }, search: {} });
    });
    if (!isDone) return;
    if (once === undefined) onClose();
    else setShown(once);
  };
  const name = visibleText(user.login);
  if (shown !== undefined)
    return (
      <Dialog title={title(name)} action="Done" onAct={onClose} onClose={onClose}>
        <p>Send this link to the user. It is shown only once.</p>
        <p className={styles.secret}>
          <code>{shown}</code>
          <CopyButton label="Copy" isLabelled text={shown} />
        </p>
      </Dialog>
    );
  return (
    <Dialog
      title={title(name)}
      action={action === 'reset' ? 'Make the link' : button}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void decide()}
      onClose={onClose}
    >
      <p>{text}</p>
    </Dialog>
  );
}
