/** A server leaves: drained first, then revoked and forgotten. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { removeServer, type ServerRow } from '../../api/servers.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

interface RemoveServerProps {
  readonly server: ServerRow;
  readonly onClose: () => void;
}

export function RemoveServer({ onClose, server: { certname } }: RemoveServerProps): ReactElement {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isForced, setForced] = useState(false);
  const { failure, isBusy, run } = useChange('infrastructure');
  const remove = async () => {
    if (!(await run(() => removeServer(certname, isForced)))) return;
    onClose();
    await navigate({ to: '/servers' });
  };
  return (
    <Dialog
      title={`Remove ${visibleText(certname)}`}
      action={isBusy ? 'Draining…' : 'Drain and remove'}
      isDisabled={isBusy || typed !== certname}
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <ol className={styles.steps}>
        <li>
          Its health check fails, so that load balancers send it nothing new; agents go to other servers.
        </li>
        <li>It finishes what it does, within two minutes, and delivers what it holds.</li>
        <li>Its certificate is revoked and cleaned.</li>
        <li>Its node is deactivated, and its pins in the groups of servers are removed.</li>
      </ol>
      <CheckField
        label="Don’t wait for it: it does not answer any more"
        isChecked={isForced}
        onChange={setForced}
      />
      <TextField label="Type the certname" value={typed} onChange={setTyped} />
      <div>
        <CopyButton
          label="Copy as command"
          isLabelled
          text={`bunraku infrastructure forget ${certname}${isForced ? ' --force' : ''}`}
        />
      </div>
    </Dialog>
  );
}
