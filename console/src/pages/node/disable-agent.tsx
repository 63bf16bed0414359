/** Disables or enables the Puppet agent of a node. */

import { type ReactElement, useState } from 'react';
import { mayDo, maySeeJobs } from '../../api/session.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { ReachLine, useReach } from '../../features/run/reach.tsx';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { taskCommand } from '../../lib/run-command.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';

const agentTask = 'bunraku::agent';

interface DisableProps {
  readonly certname: string;
}

/** Hidden from users who may not run the task. */
export function DisableAgentButton({ certname }: DisableProps): ReactElement | undefined {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const mayRun = mayDo(session, 'tasks', 'run', agentTask) || mayDo(session, 'tasks', 'run_with_constraints');
  if (!maySeeJobs(session) || !mayRun) return undefined;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Disable agent</Button>
      {isOpen ? <Question certname={certname} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

function Question({ certname, onClose }: DisableProps & { readonly onClose: () => void }): ReactElement {
  const [action, setAction] = useState<'disable' | 'enable'>('disable');
  const [message, setMessage] = useState('');
  const scope = { nodes: [certname] };
  const reached = useReach(scope, agentTask);
  const { failure, isBusy, start } = useStart();
  const isDisabling = action === 'disable';
  const params = { action, ...(isDisabling && message.trim() !== '' ? { message: message.trim() } : {}) };
  const command = taskCommand({
    name: agentTask,
    values: params,
    environment: 'production',
    scope,
    isNoop: false,
  });
  return (
    <Dialog
      title={isDisabling ? 'Disable agent' : 'Enable agent'}
      action={`${isDisabling ? 'Disable' : 'Enable'} on 1 node`}
      isDisabled={isBusy || (reached.reach?.total ?? 0) === 0}
      failure={failure}
      onAct={() => void start('/command/task', { task: agentTask, params, scope })}
      onClose={onClose}
    >
      <ReachLine {...reached} />
      <ChoiceField
        label="What"
        value={action}
        options={[
          ['disable', 'Disable the agent until it is enabled again'],
          ['enable', 'Enable the agent again'],
        ]}
        onChange={setAction}
      />
      {isDisabling ? (
        <TextField
          label="Message"
          value={message}
          onChange={setMessage}
          hint="Shown when someone runs Puppet on the node"
        />
      ) : undefined}
      <div>
        <CommandButton text={command} />
      </div>
    </Dialog>
  );
}
