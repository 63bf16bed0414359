/** Runs Puppet on the node that is shown, as a job. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { mayDo, maySeeJobs } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './page.module.css';
import { connectionOf } from './queries.ts';

interface RunPuppetProps {
  readonly certname: string;
}

export function RunPuppet({ certname }: RunPuppetProps): ReactElement | undefined {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!maySeeJobs(session) || !mayDo(session, 'puppet_agent', 'run')) return undefined;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Run Puppet</Button>
      {isOpen ? <Question certname={certname} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

interface QuestionProps extends RunPuppetProps {
  readonly onClose: () => void;
}

function Question({ certname, onClose }: QuestionProps): ReactElement {
  const { data: connection } = useQuery(connectionOf(certname));
  const [environment, setEnvironment] = useState('');
  const [isNoop, setNoop] = useState(false);
  const { failure, isBusy, start } = useStart();
  const wanted = environment.trim();
  const body = {
    environment: wanted,
    enforce_environment: wanted !== '',
    scope: { nodes: [certname] },
    ...(isNoop ? { noop: true } : {}),
  };
  return (
    <Dialog
      title="Run Puppet"
      action="Run on 1 node"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void start('/command/deploy', body)}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(certname)}</strong>
      </p>
      {connection?.connected === false ? (
        <p className={styles.note}>Its PXP agent is not connected to a broker, so the job will fail.</p>
      ) : undefined}
      <Field
        label="Environment"
        name="environment"
        placeholder="That of the node"
        onChange={setEnvironment}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={isNoop} onChange={(event) => setNoop(event.target.checked)} />
        No-op: say what would change, and change nothing
      </label>
    </Dialog>
  );
}
