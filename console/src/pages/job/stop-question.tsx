/** Asks before a job is stopped, and says for how many nodes it matters. */

import type { ReactElement } from 'react';
import { stopJob } from '../../api/jobs.ts';
import { useChange } from '../../features/use-change.ts';
import { countOf, type Job, nodesText } from '../../lib/jobs.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface StopQuestionProps {
  readonly job: Job;
  readonly onClose: () => void;
}

export function StopQuestion({ job, onClose }: StopQuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('orchestrator');
  const [waiting, running] = [countOf(job, 'new', 'ready'), countOf(job, 'running')];
  const stop = async () => {
    if (await run(() => stopJob(job.name))) onClose();
  };
  return (
    <Dialog
      title={`Stop job ${job.name}`}
      action="Stop the job"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void stop()}
      onClose={onClose}
    >
      <p>
        <strong>{nodesText(waiting)}</strong> that {waiting === 1 ? 'waits is' : 'wait are'} skipped.
      </p>
      {running === 0 ? undefined : (
        <p>
          {nodesText(running)} {running === 1 ? 'is' : 'are'} running and{' '}
          {running === 1 ? 'continues' : 'continue'} to the end: agents can’t be interrupted.
        </p>
      )}
    </Dialog>
  );
}
