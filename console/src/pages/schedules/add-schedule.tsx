/** A new schedule: a Puppet run here; tasks and plans have forms of their own, to which this leads. */

import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ScheduledType } from '../../api/schedules.ts';
import { mayDo } from '../../api/session.ts';
import { useReach } from '../../features/run/reach.tsx';
import { ScheduleDialog } from '../../features/run/schedule-dialog.tsx';
import { TargetPicker } from '../../features/run/target-picker.tsx';
import { useSession } from '../../features/session.ts';
import { deployCommand } from '../../lib/run-command.ts';
import { scopeOf, type TargetChoice } from '../../lib/targets.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, ChoiceField } from '../../ui/text-field.tsx';

const types: readonly (readonly [ScheduledType, string])[] = [
  ['task', 'A task'],
  ['plan', 'A plan'],
  ['deploy', 'Puppet'],
];

export function AddSchedule({ onClose }: { readonly onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const [type, setType] = useState<ScheduledType>('task');
  const choice = <ChoiceField label="What runs" value={type} options={types} onChange={setType} />;
  if (type === 'deploy') return <PuppetRun onClose={onClose}>{choice}</PuppetRun>;
  const go = () =>
    void navigate({
      to: type === 'task' ? '/tasks/{-$name}' : '/plans/{-$name}',
      params: { name: undefined },
    });
  return (
    <Dialog
      title="Add schedule"
      action={type === 'task' ? 'Choose a task' : 'Choose a plan'}
      onAct={go}
      onClose={onClose}
    >
      {choice}
      <p>
        Choose it, fill in its form, and press <strong>Schedule</strong>.
      </p>
    </Dialog>
  );
}

interface PuppetRunProps {
  readonly onClose: () => void;
  readonly children: ReactElement;
}

function PuppetRun({ children, onClose }: PuppetRunProps): ReactElement {
  const session = useSession();
  const [choice, setChoice] = useState<TargetChoice>({ kind: 'nodes', text: '' });
  const [isNoop, setNoop] = useState(false);
  const scope = scopeOf(choice);
  const { reach } = useReach(scope);
  const mayRun = mayDo(session, 'puppet_agent', 'run');
  const isReady = mayRun && scope !== undefined && (reach?.total ?? 0) > 0;
  const order = { environment: '', enforce_environment: false, scope, ...(isNoop ? { noop: true } : {}) };
  return (
    <ScheduleDialog
      title="Add schedule"
      type="deploy"
      order={isReady ? order : undefined}
      commandOf={(schedule) => deployCommand({ scope, isNoop, schedule })}
      onClose={onClose}
    >
      {children}
      {mayRun ? undefined : <p>You need the permission puppet_agent:run.</p>}
      <TargetPicker choice={choice} onChange={setChoice} />
      <CheckField
        label="No-op: report what would change without changing it"
        isChecked={isNoop}
        onChange={setNoop}
      />
    </ScheduleDialog>
  );
}
