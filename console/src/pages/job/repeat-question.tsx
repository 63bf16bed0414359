/** Shows on which nodes a job would run again, and starts it. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useStart } from '../../features/use-start.ts';
import { repeatBody } from '../../lib/job-repeat.ts';
import { type Job, jobTitle, nodeStateWords, nodesText } from '../../lib/jobs.ts';
import { manyNodes } from '../../lib/targets.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Pending } from '../../ui/loaded.tsx';
import styles from './page.module.css';
import { nodesToRepeat } from './queries.ts';

interface RepeatQuestionProps {
  readonly job: Job;
  readonly path: string;
  readonly isFailedOnly: boolean;
  readonly onClose: () => void;
}

const mostNames = 8;

export function RepeatQuestion({ isFailedOnly, job, onClose, path }: RepeatQuestionProps): ReactElement {
  const nodes = useQuery(nodesToRepeat(job.name, isFailedOnly));
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  // The page stays the same, and shows another job.
  const { failure, isBusy, start } = useStart((id) => {
    onClose();
    void navigate({ to: '/jobs/$id', params: { id } });
  });
  const count = nodes.data?.length ?? 0;
  const isMany = count > manyNodes;
  return (
    <Dialog
      title={isFailedOnly ? 'Run again on failed nodes' : 'Run again'}
      action={`Run on ${nodesText(count)}`}
      isDisabled={isBusy || count === 0 || (isMany && typed !== String(count))}
      failure={failure}
      onAct={() => void start(path, repeatBody(job, nodes.data ?? []))}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(jobTitle(job))}</strong> on{' '}
        {isFailedOnly
          ? 'the nodes of this job that failed, could not be run or were skipped'
          : 'the same nodes as in this job'}
        :
      </p>
      {nodes.data !== undefined ? (
        <ul className={styles.names} aria-label="Nodes">
          {nodes.data.slice(0, mostNames).map(({ name, state }) => (
            <li key={name}>
              {visibleText(name)} <span className={styles.muted}>{nodeStateWords[state].toLowerCase()}</span>
            </li>
          ))}
          {count > mostNames ? <li>and {nodesText(count - mostNames)} more</li> : undefined}
        </ul>
      ) : (
        <Pending query={nodes} what="The nodes" rows={2} />
      )}
      {isMany ? (
        <Field label={`Type the number of nodes (${count})`} name="count" onChange={setTyped} />
      ) : undefined}
    </Dialog>
  );
}
