/** Lets something run later, or again and again. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { addSchedule, type ScheduledType } from '../../api/schedules.ts';
import { newSchedule, type ScheduleWire, scheduleOf } from '../../lib/schedules.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CommandButton } from '../command-button.tsx';
import { useChange } from '../use-change.ts';
import { ownTimeZone, ScheduleFields } from './schedule-fields.tsx';

interface ScheduleDialogProps {
  readonly title: string;
  readonly type: ScheduledType;
  /** The body of the request; `undefined` while the form is incomplete. */
  readonly order: object | undefined;
  readonly commandOf: (schedule: ScheduleWire | undefined) => string;
  readonly onClose: () => void;
  /** Shown above the times. */
  readonly children: ReactNode;
}

export function ScheduleDialog(props: ScheduleDialogProps): ReactElement {
  const { children, commandOf, onClose, order, title, type } = props;
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => newSchedule(new Date(), ownTimeZone));
  const { failure, isBusy, run } = useChange('orchestrator', 'schedules');
  const schedule = scheduleOf(draft);
  const add = async () => {
    if (schedule === undefined || order === undefined) return;
    const added = await run(() => addSchedule(type, order, schedule));
    if (added === undefined) return;
    onClose();
    await navigate({ to: '/schedules/{-$id}', params: { id: added.value } });
  };
  return (
    <Dialog
      title={title}
      action="Schedule"
      isDisabled={isBusy || schedule === undefined || order === undefined}
      failure={failure}
      onAct={() => void add()}
      onClose={onClose}
    >
      {children}
      <ScheduleFields draft={draft} onChange={setDraft} />
      <div>
        <CommandButton text={commandOf(schedule)} />
      </div>
    </Dialog>
  );
}
