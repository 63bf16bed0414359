/** Asks before a plan is stopped. */

import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { stopPlan } from '../../api/plans.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface StopQuestionProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function StopQuestion({ id, onClose }: StopQuestionProps): ReactElement {
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      await stopPlan(id);
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
    await queries.invalidateQueries({ queryKey: ['orchestrator'] });
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
      <p>The plan ends where it is and has failed. What runs on nodes goes on to its end.</p>
    </Dialog>
  );
}
