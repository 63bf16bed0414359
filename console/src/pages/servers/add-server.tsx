/** A token for one more server, with the line to run there. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { createJoinToken } from '../../api/servers.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { infrastructure } from '../../features/server-queries.ts';
import { useChange } from '../../features/use-change.ts';
import { shellWord } from '../../lib/api-command.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

const lifetimes = [
  ['3600', 'An hour'],
  ['86400', 'A day'],
  ['2592000', '30 days'],
] as const;

export function AddServer({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [certname, setCertname] = useState('');
  const [uses, setUses] = useState('1');
  const [seconds, setSeconds] = useState<(typeof lifetimes)[number][0]>('3600');
  const [token, setToken] = useState<string>();
  const { failure, isBusy, run } = useChange('infrastructure');
  const add = async () => {
    const names = certname.trim() === '' ? {} : { certnames: [certname.trim()] };
    await run(async () =>
      setToken(await createJoinToken({ uses: Number(uses), ttl_seconds: Number(seconds), ...names })),
    );
  };
  if (token !== undefined) return <JoinLine token={token} onClose={onClose} />;
  const flags = certname.trim() === '' ? '' : ` --certname ${shellWord(certname.trim())}`;
  const count = Number(uses);
  return (
    <Dialog
      title="Add compile server"
      action="Create token"
      isDisabled={isBusy || !Number.isInteger(count) || count < 1}
      failure={failure}
      failureTitle="No token was created"
      onAct={() => void add()}
      onClose={onClose}
    >
      <TextField
        label="Certname"
        value={certname}
        placeholder="Any"
        hint="Only servers with this name, or a name of this pattern such as *.example.com, may join."
        onChange={setCertname}
      />
      <TextField label="Number of servers" type="number" value={uses} onChange={setUses} />
      <ChoiceField label="Valid for" value={seconds} options={lifetimes} onChange={setSeconds} />
      <div>
        <CommandButton text={`bunraku infrastructure token --uses ${uses} --ttl ${seconds}s${flags}`} />
      </div>
    </Dialog>
  );
}

interface JoinLineProps {
  readonly token: string;
  readonly onClose: () => void;
}

function JoinLine({ onClose, token }: JoinLineProps): ReactElement {
  const { data: status } = useQuery(infrastructure());
  const url = status?.servers[0]?.url ?? 'https://PRIMARY:8140';
  const line = `bunraku compile-server join ${url} --token ${token}`;
  return (
    <Dialog title="Command to join" action="Done" onAct={onClose} onClose={onClose}>
      <p>Install Bunraku on the new server and run this there. The token is shown only once.</p>
      <p className={styles.secret}>
        <code>{line}</code>
        <CopyButton label="Copy" isLabelled text={line} />
      </p>
      <p>The server appears in the list when it has joined.</p>
    </Dialog>
  );
}
