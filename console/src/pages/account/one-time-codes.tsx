/** One-time codes beside the password: turned on with a picture or the secret, turned off with both. */

import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import {
  beginSecondFactor,
  confirmSecondFactor,
  type Enrolment,
  endSecondFactor,
  readSecondFactor,
  type SecondFactor,
} from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

const factorQuery: UseQueryOptions<SecondFactor> = {
  queryKey: ['rbac', 'second-factor'],
  queryFn: ({ signal }) => readSecondFactor(signal),
};

export function OneTimeCodes(): ReactElement {
  const factor = useQuery(factorQuery);
  const queries = useQueryClient();
  const [open, setOpen] = useState<'on' | 'off'>();
  const close = () => {
    setOpen(undefined);
    void queries.invalidateQueries({ queryKey: factorQuery.queryKey ?? [] });
  };
  return (
    <section aria-labelledby="codes">
      <h2 id="codes">One-time codes</h2>
      {factor.data === undefined ? (
        <Pending query={factor} what="The state" rows={1} />
      ) : factor.data.enabled ? (
        <>
          <p>On: each log-in needs a code. {recoveryText(factor.data.recovery_codes_left)}</p>
          <div>
            <Button onPress={() => setOpen('off')}>Turn off one-time codes</Button>
          </div>
        </>
      ) : (
        <>
          <p className={styles.hint}>
            Off: the password alone is enough. An authenticator app on your phone creates a new code every 30
            seconds.
          </p>
          <div>
            <Button onPress={() => setOpen('on')}>Turn on one-time codes</Button>
          </div>
        </>
      )}
      {open === 'on' ? <TurnOn onClose={close} /> : undefined}
      {open === 'off' ? <TurnOff onClose={close} /> : undefined}
    </section>
  );
}

function recoveryText(left: number): string {
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
}

interface CloseProps {
  readonly onClose: () => void;
}

/** One step after another: the password, the code, the recovery codes. */
function TurnOn({ onClose }: CloseProps): ReactElement {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (enrolment !== undefined) return <Confirm enrolment={enrolment} onCodes={setCodes} onClose={onClose} />;
  return (
    <Step
      title="Turn on one-time codes"
      action="Next"
      label="Current password"
      isSecret
      act={async (password) => setEnrolment(await beginSecondFactor(password))}
      onClose={onClose}
    >
      <p>First show that it is you.</p>
    </Step>
  );
}

interface ConfirmProps extends CloseProps {
  readonly enrolment: Enrolment;
  readonly onCodes: (codes: readonly string[]) => void;
}

function Confirm({ enrolment, onClose, onCodes }: ConfirmProps): ReactElement {
  return (
    <Step
      title="Turn on one-time codes"
      action="Turn on"
      label="Code"
      act={async (code) => onCodes(await confirmSecondFactor(code.trim()))}
      onClose={onClose}
    >
      <p>Scan this with your authenticator app, or type the secret there.</p>
      <QrCode text={enrolment.uri} label="The secret as a QR code" />
      <p className={styles.secret}>
        <code>{enrolment.secret}</code>
        <CopyButton label="Copy secret" text={enrolment.secret} />
      </p>
      <p>Then type the code that the app shows.</p>
    </Step>
  );
}

interface RecoveryCodesProps extends CloseProps {
  readonly codes: readonly string[];
}

function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactElement {
  return (
    <Dialog title="Your recovery codes" action="I have kept them" onAct={onClose} onClose={onClose}>
      <p>
        One-time codes are on. If you lose your phone, each of these codes lets you log in once. They are
        shown only once.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <CopyButton label="Copy" isLabelled text={codes.join('\n')} />
      </div>
    </Dialog>
  );
}

function TurnOff({ onClose }: CloseProps): ReactElement {
  const [code, setCode] = useState('');
  return (
    <Step
      title="Turn off one-time codes"
      action="Turn off"
      label="Current password"
      isSecret
      isDisabled={code.trim() === ''}
      act={async (password) => {
        await endSecondFactor(password, code.trim());
        onClose();
      }}
      onClose={onClose}
    >
      <p>The password alone is enough from then on.</p>
      <TextField label="Code, or a recovery code" value={code} onChange={setCode} />
    </Step>
  );
}

interface StepProps extends CloseProps {
  readonly title: string;
  readonly action: string;
  /** Of the field whose text is acted on. */
  readonly label: string;
  readonly isSecret?: boolean;
  readonly isDisabled?: boolean;
  readonly act: (text: string) => Promise<void>;
  readonly children: ReactElement | readonly ReactElement[];
}

function Step(props: StepProps): ReactElement {
  const { act, action, children, isDisabled = false, isSecret = false, label, onClose, title } = props;
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const go = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      await act(text);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={title}
      action={action}
      isDisabled={isBusy || isDisabled || text.trim() === ''}
      failure={failure}
      onAct={() => void go()}
      onClose={onClose}
    >
      {children}
      <TextField label={label} type={isSecret ? 'password' : 'text'} value={text} onChange={setText} />
    </Dialog>
  );
}
