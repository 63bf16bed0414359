/** A server in contact leaves: the order is stored, so that nothing depends on this page staying open. */

import { type ReactElement, useState } from 'react';
import { drainServer, type ServerRow } from '../../api/servers.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

interface DrainServerProps {
  readonly server: ServerRow;
  readonly onClose: () => void;
}

export function DrainServer({ onClose, server: { certname } }: DrainServerProps): ReactElement {
  const [typed, setTyped] = useState('');
  const { failure, isBusy, run } = useChange('infrastructure');
  const drain = async () => {
    if ((await run(() => drainServer(certname))) !== undefined) onClose();
  };
  return (
    <Dialog
      title={`Drain ${visibleText(certname)}`}
      action="Drain"
      isDisabled={isBusy || typed !== certname}
      failure={failure}
      onAct={() => void drain()}
      onClose={onClose}
    >
      <p>The server leaves in these steps, even if the primary is restarted meanwhile:</p>
      <ol className={styles.steps}>
        <li>Its health check fails, so that load balancers send agents to other servers.</li>
        <li>It finishes its compiles and delivers its outbox.</li>
        <li>Its certificate is revoked and cleaned.</li>
        <li>Its node is deactivated and unpinned from the groups of servers.</li>
      </ol>
      <TextField label="Type the certname" value={typed} onChange={setTyped} />
      <div>
        <CommandButton text={`bunraku infrastructure drain ${certname}`} />
      </div>
    </Dialog>
  );
}
