/** What can be done with a schedule, each asked before it is done. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { changeSchedule, deleteSchedule, type ScheduledJob, switchSchedule } from '../../api/schedules.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { ownTimeZone, ScheduleFields } from '../../features/run/schedule-fields.tsx';
import { useChange } from '../../features/use-change.ts';
import { commandLine } from '../../lib/run-command.ts';
import { scheduledTitle } from '../../lib/scheduled-job.ts';
import { draftOf, newSchedule, scheduleOf } from '../../lib/schedules.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface QuestionProps {
  readonly job: ScheduledJob;
  readonly onClose: () => void;
}

export function TimesQuestion({ job, onClose }: QuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('orchestrator', 'schedules');
  const [draft, setDraft] = useState(() => draftOf(job, newSchedule(new Date(), ownTimeZone)));
  const schedule = scheduleOf(draft);
  const change = async () => {
    if (schedule && (await run(() => changeSchedule(job.name, schedule)))) onClose();
  };
  return (
    <Dialog
      title={`Change times of ${visibleText(scheduledTitle(job))}`}
      action="Change times"
      isDisabled={isBusy || schedule === undefined}
      failure={failure}
      onAct={() => void change()}
      onClose={onClose}
    >
      <ScheduleFields draft={draft} onChange={setDraft} />
      {job.enabled ? undefined : <p>It is enabled again with its new times.</p>}
    </Dialog>
  );
}

export function SwitchQuestion({ job, onClose }: QuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('orchestrator', 'schedules');
  const verb = job.enabled ? 'Disable' : 'Enable';
  const change = async () => {
    if (await run(() => switchSchedule(job.name, !job.enabled))) onClose();
  };
  return (
    <Dialog
      title={`${verb} schedule ${job.name}`}
      action={verb}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void change()}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(scheduledTitle(job))}</strong>{' '}
        {job.enabled ? 'starts no more until it is enabled again.' : 'starts again at its times.'}
      </p>
      <Command words={[`schedule ${verb.toLowerCase()}`, job.name]} />
    </Dialog>
  );
}

interface DeleteQuestionProps extends QuestionProps {
  /** Told before it is deleted, and when that has failed: what is deleted is not asked for any more. */
  readonly onDeleting: (isDeleting: boolean) => void;
}

export function DeleteQuestion({ job, onClose, onDeleting }: DeleteQuestionProps): ReactElement {
  const navigate = useNavigate();
  const { failure, isBusy, run } = useChange('orchestrator', 'schedules');
  const remove = async () => {
    onDeleting(true);
    await deleteSchedule(job.name).catch((error: unknown) => {
      onDeleting(false);
      throw error;
    });
    await navigate({ to: '/schedules/{-$id}', params: { id: undefined }, search: {} });
  };
  return (
    <Dialog
      title={`Delete schedule ${job.name}`}
      action="Delete the schedule"
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void run(remove)}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(scheduledTitle(job))}</strong> is not started again. Its running jobs continue.
      </p>
      <Command words={['schedule delete', job.name]} />
    </Dialog>
  );
}

function Command({ words }: { readonly words: readonly string[] }): ReactElement {
  return (
    <div>
      <CommandButton text={commandLine(words)} />
    </div>
  );
}
