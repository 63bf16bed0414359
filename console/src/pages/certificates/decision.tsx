/** One decision about one certificate: what it means, and whether it was meant. */

import { type ReactElement, useState } from 'react';
import {
  acceptRequest,
  type CertificateRow,
  cleanCertificate,
  rejectRequest,
  revokeCertificate,
} from '../../api/certificates.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './page.module.css';

export type CertificateAction = 'accept' | 'reject' | 'revoke' | 'clean';

interface Meaning {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly act: (row: CertificateRow) => Promise<void>;
  /** Whether the name has to be typed. */
  readonly needsName: boolean;
}

/** Whether a request asks for more than a name of its own. */
export function isSpecial(row: CertificateRow): boolean {
  return namesOf(row).length > 0;
}

/** The alternative names but its own, and the extensions that give rights. */
export function namesOf({
  authorization_extensions,
  name,
  subject_alt_names,
}: CertificateRow): readonly string[] {
  const extensions = Object.entries(authorization_extensions).map(([key, value]) => `${key}: ${value}`);
  return [...subject_alt_names.filter((each) => each !== `DNS:${name}`), ...extensions].map(visibleText);
}

const special: Meaning = {
  title: 'Accept with alternative names',
  text: 'With this certificate the node can act under all of these names, and with the rights of the extensions. Compare the fingerprint with the one that the node shows.',
  button: 'Accept with alternative names',
  act: (row) => acceptRequest(row, true),
  needsName: true,
};

const meanings: Readonly<Record<CertificateAction, Meaning>> = {
  accept: {
    title: 'Accept the request',
    text: 'The node gets its certificate, and catalogs from its next run on.',
    button: 'Accept',
    act: (row) => acceptRequest(row, false),
    needsName: false,
  },
  reject: {
    title: 'Reject the request',
    text: 'The request is deleted. The node can send another one.',
    button: 'Reject',
    act: ({ name }) => rejectRequest(name),
    needsName: false,
  },
  revoke: {
    title: 'Revoke the certificate',
    text: 'All servers refuse the node from now on. This can’t be undone: the node needs a new certificate.',
    button: 'Revoke',
    act: ({ name }) => revokeCertificate(name),
    needsName: true,
  },
  clean: {
    title: 'Clean the certificate',
    text: 'The certificate is revoked and deleted. A node with this name can request a new one.',
    button: 'Clean',
    act: ({ name }) => cleanCertificate(name),
    needsName: true,
  },
};

function Origin({ row: { origin } }: { readonly row: CertificateRow }): ReactElement | undefined {
  if (origin === undefined || origin === null) return undefined;
  const { address, reason, received_at: time } = origin;
  return (
    <p>
      Requested from {address ?? 'a file'} <Age time={time} />. Not signed automatically:{' '}
      {visibleText(reason)}.
    </p>
  );
}

interface DecisionProps {
  readonly action: CertificateAction;
  readonly row: CertificateRow;
  readonly onClose: () => void;
}

export function Decision({ action, onClose, row }: DecisionProps): ReactElement {
  const [typed, setTyped] = useState('');
  const { failure, isBusy, run } = useChange('ca');
  const { act, button, needsName, text, title } =
    action === 'accept' && isSpecial(row) ? special : meanings[action];
  const decide = async () => {
    if (await run(() => act(row))) onClose();
  };
  return (
    <Dialog
      title={title}
      action={button}
      isDisabled={isBusy || (needsName && typed !== row.name)}
      failure={failure}
      onAct={() => void decide()}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(row.name)}</strong>
      </p>
      <p>{text}</p>
      {isSpecial(row) ? (
        <ul className={styles.names} aria-label="Alternative names">
          {namesOf(row).map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      ) : undefined}
      <p className={styles.whole}>
        SHA-256 <code>{row.fingerprint}</code>
      </p>
      <Origin row={row} />
      {needsName ? <Field label="Type the certname" name="certname" onChange={setTyped} /> : undefined}
    </Dialog>
  );
}
