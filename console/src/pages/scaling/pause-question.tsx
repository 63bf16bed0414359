/** Stops the advice for a while, or lets it go on. */

import type { ReactElement } from 'react';
import { pauseScaling } from '../../api/scaling.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface PauseQuestionProps {
  readonly isPaused: boolean;
  readonly onClose: () => void;
}

export function PauseQuestion({ isPaused, onClose }: PauseQuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('autoscaler');
  const change = async () => {
    if ((await run(() => pauseScaling(!isPaused))) !== undefined) onClose();
  };
  const action = isPaused ? 'Resume' : 'Pause';
  return (
    <Dialog
      title={`${action} scaling`}
      action={action}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void change()}
      onClose={onClose}
    >
      <p>
        {isPaused
          ? 'The advised number of servers follows the load again.'
          : 'The advised number of servers stays as it is, without warnings of too few, until a user resumes scaling. The figures are still updated.'}
      </p>
      <div>
        <CommandButton text={`bunraku autoscaler ${isPaused ? 'resume' : 'pause'}`} />
      </div>
    </Dialog>
  );
}
