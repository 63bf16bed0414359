/** Asks before a plan is stopped. */

import type { ReactElement } from 'react';
import { stopPlan } from '../../api/plans.ts';
import { useChange } from '../../features/use-change.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface StopQuestionProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function StopQuestion({ id, onClose }: StopQuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('orchestrator');
  const stop = async () => {
    if (await run(() => stopPlan(id))) onClose();
  };
  return (
    <Dialog
      title={`Stop plan job ${id}`}
      action="Stop the plan"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void stop()}
      onClose={onClose}
    >
      <p>The plan stops at its current step and fails. Actions that run on nodes continue to their end.</p>
    </Dialog>
  );
}
