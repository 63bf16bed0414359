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
        The server is removed at once, and its running compiles are lost. Drain a server that still responds.
        {undelivered === 0
          ? ''
          : ` ${undelivered.toLocaleString('en')} messages in its outbox are lost, too.`}
      </p>
      <ol className={styles.steps}>
        <li>Its certificate is revoked and cleaned.</li>
        <li>Its node is deactivated and unpinned from the groups of servers.</li>
        <li>It is removed from the list of servers.</li>
      </ol>
      <TextField label="Type the certname" value={typed} onChange={setTyped} />
      <div>
        <CommandButton text={`bunraku infrastructure forget ${certname} --force`} />
      </div>
    </Dialog>
  );
}
