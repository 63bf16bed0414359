/** A server that does not answer any more is removed without being waited for. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { removeServer, type ServerRow } from '../../api/servers.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

interface RemoveServerProps {
  readonly server: ServerRow;
  readonly onClose: () => void;
}

export function RemoveServer({ onClose, server }: RemoveServerProps): ReactElement {
  const { certname, undelivered } = server;
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { failure, isBusy, run } = useChange('infrastructure');
  const remove = async () => {
    if ((await run(() => removeServer(certname))) === undefined) return;
    onClose();
    await navigate({ to: '/servers' });
  };
  return (
    <Dialog
      title={`Remove ${visibleText(certname)}`}
      action="Remove"
      isDisabled={isBusy || typed !== certname}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>
        It is not waited for: what runs on it is cut off. A server that answers is better drained.
        {undelivered === 0
          ? ''
          : ` It said last that it holds ${undelivered.toLocaleString('en')} messages for the primary, which are lost then.`}
      </p>
      <ol className={styles.steps}>
        <li>Its certificate is revoked and cleaned.</li>
        <li>Its node is deactivated, and its pins in the groups of servers are removed.</li>
        <li>No page shows it any more.</li>
      </ol>
      <TextField label="Type the certname" value={typed} onChange={setTyped} />
      <div>
        <CommandButton text={`bunraku infrastructure forget ${certname} --force`} />
      </div>
    </Dialog>
  );
}
