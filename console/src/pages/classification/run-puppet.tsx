/** After a commit: Puppet on the nodes that it has changed, as one job. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { mayDo, maySeeJobs, maySeeServers } from '../../api/session.ts';
import { infrastructure } from '../../features/server-queries.ts';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import styles from './commit-bar.module.css';

interface CommittedProps {
  readonly certnames: readonly string[];
  readonly onClose: () => void;
}

export function Committed({ certnames, onClose }: CommittedProps): ReactElement {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const nodes = certnames.length === 1 ? '1 node' : `${certnames.length} nodes`;
  const mayRun = maySeeJobs(session) && mayDo(session, 'puppet_agent', 'run');
  return (
    <section aria-label="Committed" className={styles.bar}>
      <span className={styles.barText}>Committed. Nodes get the changes with their next run.</span>
      <Button onPress={onClose}>Close</Button>
      {mayRun ? (
        <Button look="primary" onPress={() => setOpen(true)}>{`Run Puppet on ${nodes}`}</Button>
      ) : undefined}
      {isOpen ? <Question certnames={certnames} nodes={nodes} onClose={() => setOpen(false)} /> : undefined}
    </section>
  );
}

interface QuestionProps extends CommittedProps {
  /** How many, in words. */
  readonly nodes: string;
}

const shownNodes = 20;

function Question({ certnames, nodes, onClose }: QuestionProps): ReactElement {
  const { data } = useQuery(infrastructure(maySeeServers(useSession())));
  const { failure, isBusy, start } = useStart();
  const servers = new Set(data?.servers.map(({ certname }) => certname));
  const first = certnames.filter((each) => servers.has(each));
  const others = certnames.filter((each) => !servers.has(each));
  const canOrder = first.length > 0 && others.length > 0;
  const [isOrdered, setOrdered] = useState(true);
  const body = {
    environment: '',
    enforce_environment: false,
    ...(canOrder && isOrdered ? { order: [first, others] } : { scope: { nodes: certnames } }),
  };
  return (
    <Dialog
      title="Run Puppet"
      action={`Run on ${nodes}`}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void start('/command/deploy', body)}
      onClose={onClose}
    >
      <ul className={styles.sentences}>
        {certnames.slice(0, shownNodes).map((certname) => (
          <li key={certname}>{visibleText(certname)}</li>
        ))}
      </ul>
      {certnames.length > shownNodes ? <p>{`and ${certnames.length - shownNodes} more`}</p> : undefined}
      {canOrder ? (
        <CheckField
          label={`In order: first ${first.map(visibleText).join(', ')}, then the others`}
          isChecked={isOrdered}
          onChange={setOrdered}
        />
      ) : undefined}
    </Dialog>
  );
}
