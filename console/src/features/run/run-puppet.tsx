/** Starts a Puppet run job after showing the number of nodes. */

import { type ReactElement, useState } from 'react';
import { mayDo, maySeeJobs } from '../../api/session.ts';
import { nodesText } from '../../lib/jobs.ts';
import { deployBody, deployCommand } from '../../lib/run-command.ts';
import { manyNodes, type Scope, scopeText } from '../../lib/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { CommandButton, copyText } from '../command-button.tsx';
import { usePageActions } from '../page-actions.ts';
import { useSession } from '../session.ts';
import { useStart } from '../use-start.ts';
import { ReachLine, useReach } from './reach.tsx';
import styles from './run.module.css';

interface RunPuppetProps {
  readonly scope: Scope;
}

/** Hidden from users who may not run Puppet. */
export function RunPuppetButton(props: RunPuppetProps): ReactElement | undefined {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const mayRun = maySeeJobs(session) && mayDo(session, 'puppet_agent', 'run');
  const title = `Run Puppet on ${scopeText(props.scope)}`;
  const copy = () => copyText(deployCommand({ scope: props.scope, isNoop: false }));
  usePageActions(
    mayRun
      ? [
          { title, act: () => setOpen(true) },
          { title: `Copy as command: ${title}`, act: copy },
        ]
      : [],
  );
  if (!mayRun) return undefined;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Run Puppet</Button>
      {isOpen ? <Question {...props} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

interface QuestionProps extends RunPuppetProps {
  readonly onClose: () => void;
}

function Question({ onClose, scope }: QuestionProps): ReactElement {
  const [environment, setEnvironment] = useState('');
  const [tags, setTags] = useState('');
  const [isNoop, setNoop] = useState(false);
  const [isDebug, setDebug] = useState(false);
  const [typed, setTyped] = useState('');
  const reached = useReach(scope);
  const { failure, isBusy, start } = useStart();
  const count = reached.reach?.total ?? 0;
  const isMany = count > manyNodes;
  const run = { scope, isNoop, isDebug, environment: environment.trim(), tags: tags.trim() };
  return (
    <Dialog
      title="Run Puppet"
      action={count === 0 ? 'Run' : `Run on ${nodesText(count)}`}
      isDisabled={isBusy || count === 0 || (isMany && typed !== String(count))}
      failure={failure}
      onAct={() => void start('/command/deploy', deployBody(run))}
      onClose={onClose}
    >
      <ReachLine {...reached} />
      <div className={styles.fields}>
        <TextField
          label="Environment"
          value={environment}
          placeholder="Each node’s own environment"
          onChange={setEnvironment}
        />
        <TextField
          label="Tags"
          value={tags}
          placeholder="All resources"
          hint="Apply only resources with one of these tags, separated by commas"
          onChange={setTags}
        />
        <CheckField
          label="No-op: report what would change without changing it"
          isChecked={isNoop}
          onChange={setNoop}
        />
        <CheckField
          label="Debug: include debug messages in the log of the run"
          isChecked={isDebug}
          onChange={setDebug}
        />
        {isMany ? (
          <TextField label={`Type the number of nodes (${count})`} value={typed} onChange={setTyped} />
        ) : undefined}
      </div>
      <div>
        <CommandButton text={deployCommand(run)} />
      </div>
    </Dialog>
  );
}
