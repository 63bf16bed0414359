/** A token for a program, shown once. */

import { type ReactElement, useState } from 'react';
import { createToken, type UserRow } from '../../api/access.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { shellWord } from '../../lib/api-command.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

const lifetimes = [
  ['1h', 'An hour'],
  ['1d', 'A day'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', 'A year'],
] as const;

interface GenerateTokenProps {
  readonly user: UserRow;
  readonly onClose: () => void;
}

export function GenerateToken({ onClose, user }: GenerateTokenProps): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const [label, setLabel] = useState('');
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number][0]>('90d');
  const [token, setToken] = useState<string>();
  const named = label.trim();
  const generate = () =>
    run(async () =>
      setToken(await createToken(user.id, { lifetime, ...(named === '' ? {} : { label: named }) })),
    );
  if (token !== undefined)
    return (
      <Dialog title="The new token" action="Done" onAct={onClose} onClose={onClose}>
        <p>Copy it now: it is shown only once. The token has all rights of {visibleText(user.login)}.</p>
        <p className={styles.secret}>
          <code>{token}</code>
          <CopyButton label="Copy" isLabelled text={token} />
        </p>
      </Dialog>
    );
  const command = `bunraku user token ${shellWord(user.login)} --lifetime ${lifetime}${named === '' ? '' : ` --label ${shellWord(named)}`}`;
  return (
    <Dialog
      title={`Generate a token for ${visibleText(user.login)}`}
      action="Generate"
      isDisabled={isBusy}
      failure={failure}
      failureTitle="No token was made"
      onAct={() => void generate()}
      onClose={onClose}
    >
      <TextField label="Label" value={label} onChange={setLabel} placeholder="What it is for" />
      <ChoiceField label="Lifetime" value={lifetime} options={lifetimes} onChange={setLifetime} />
      <div>
        <CommandButton text={command} />
      </div>
    </Dialog>
  );
}
