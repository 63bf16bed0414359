/** Runs a task: its parameters, the nodes, and when. */

import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { mayDo } from '../../api/session.ts';
import type { TaskDetails } from '../../api/tasks.ts';
import { CommandButton } from '../../features/command-button.tsx';
import styles from '../../features/run/form.module.css';
import { ParameterFields } from '../../features/run/parameter-fields.tsx';
import { useReach } from '../../features/run/reach.tsx';
import { ScheduleDialog } from '../../features/run/schedule-dialog.tsx';
import { TargetPicker } from '../../features/run/target-picker.tsx';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { nodesText } from '../../lib/jobs.ts';
import { objectIn } from '../../lib/json-object.ts';
import { readParameters, type Texts, textsOf } from '../../lib/parameter-texts.ts';
import { taskCommand } from '../../lib/run-command.ts';
import type { ScheduleWire } from '../../lib/schedules.ts';
import { manyNodes, scopeOf, type TargetChoice } from '../../lib/targets.ts';
import type { Parameter } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';

const route = getRouteApi('/tasks/{-$name}');

interface TaskFormProps {
  readonly task: TaskDetails;
  readonly environment: string;
  readonly parameters: readonly Parameter[];
}

export function TaskForm({ environment, parameters, task }: TaskFormProps): ReactElement {
  const session = useSession();
  const mayRun = mayDo(session, 'tasks', 'run', task.name) || mayDo(session, 'tasks', 'run_with_constraints');
  const [choice, setChoice] = useChoiceInAddress();
  const { params } = route.useSearch();
  const [texts, setTexts] = useState<Texts>(() => textsOf(objectIn(params)));
  const [isNoop, setNoop] = useState(false);
  const [concurrency, setConcurrency] = useState('');
  const { isComplete, values } = readParameters(parameters, texts);
  const limit = limitOf(concurrency);
  const scope = scopeOf(choice);
  const order = {
    task: task.name,
    params: values,
    environment,
    scope,
    ...(isNoop ? { noop: true } : {}),
    ...(limit.value === undefined ? {} : { concurrency: limit.value }),
  };
  const commandOf = (schedule?: ScheduleWire) => {
    const hidden = new Set(parameters.filter(({ isSensitive }) => isSensitive).map(({ name }) => name));
    const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)));
    return taskCommand({ name: task.name, values: shown, environment, scope, isNoop, schedule });
  };
  return (
    <div className={styles.form}>
      <ParameterFields parameters={parameters} texts={texts} onChange={setTexts} />
      <TargetPicker
        choice={choice}
        onChange={setChoice}
        // Of somebody who may run it nowhere no node would be left.
        {...(mayRun ? { task: task.name } : {})}
      />
      <TextField
        label="Concurrency"
        type="number"
        value={concurrency}
        onChange={setConcurrency}
        placeholder="As many nodes at once as the primary allows"
        mistake={limit.mistake}
      />
      {task.metadata.supports_noop === true ? (
        <CheckField
          label="No-op: report what would change without changing it"
          isChecked={isNoop}
          onChange={setNoop}
        />
      ) : undefined}
      <RunButtons
        order={order}
        name={task.name}
        choice={choice}
        isComplete={isComplete && limit.mistake === undefined}
        mayRun={mayRun}
        commandOf={commandOf}
      />
    </div>
  );
}

/** The nodes stay in the address, so that a link leads to the form with them. */
function useChoiceInAddress(): readonly [TargetChoice, (choice: TargetChoice) => void] {
  const { by = 'nodes', targets = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [choice, setChoice] = useState<TargetChoice>({ kind: by, text: targets });
  const settled = useSettled(choice);
  useEffect(() => {
    const { kind, text } = settled;
    if (text.length > mostInAddress) return;
    void navigate({
      search: (before) => ({
        ...before,
        by: kind === 'nodes' ? undefined : kind,
        targets: text || undefined,
      }),
      replace: true,
    });
  }, [settled, navigate]);
  return [choice, setChoice];
}

/** Of characters: servers and browsers cut longer addresses. */
const mostInAddress = 1500;

function limitOf(text: string): { readonly value?: number; readonly mistake?: string } {
  if (text === '') return {};
  return /^[1-9]\d{0,5}$/.test(text) ? { value: Number(text) } : { mistake: 'A number from 1' };
}

interface RunButtonsProps {
  readonly order: object;
  readonly name: string;
  readonly choice: TargetChoice;
  readonly isComplete: boolean;
  readonly mayRun: boolean;
  readonly commandOf: (schedule?: ScheduleWire) => string;
}

function RunButtons({ choice, commandOf, isComplete, mayRun, name, order }: RunButtonsProps): ReactElement {
  const { reach } = useReach(scopeOf(choice), mayRun ? name : undefined);
  const { failure, isBusy, start } = useStart();
  const [typed, setTyped] = useState('');
  const [isScheduling, setScheduling] = useState(false);
  const count = reach?.total ?? 0;
  const isMany = count > manyNodes;
  const isReady = mayRun && isComplete && count > 0;
  return (
    <>
      {isMany ? (
        <TextField label={`Type the number of nodes (${count})`} value={typed} onChange={setTyped} />
      ) : undefined}
      {failure === undefined ? undefined : <Failure title="The task was not started" error={failure} />}
      <div className={styles.buttons}>
        <Button
          look="primary"
          isDisabled={!isReady || isBusy || (isMany && typed !== String(count))}
          onPress={() => void start('/command/task', order)}
        >
          {count === 0 ? 'Run' : `Run on ${nodesText(count)}`}
        </Button>
        <Button isDisabled={!isReady} onPress={() => setScheduling(true)}>
          Schedule
        </Button>
        <CommandButton text={commandOf()} />
      </div>
      {mayRun ? undefined : (
        <p className={styles.about}>{`You need the permission tasks:run on ${visibleText(name)}.`}</p>
      )}
      {isScheduling ? (
        <ScheduleDialog
          title={`Schedule ${visibleText(name)}`}
          type="task"
          order={order}
          commandOf={commandOf}
          onClose={() => setScheduling(false)}
        >
          <p>
            On <strong>{nodesText(count)}</strong> now. Each run takes the nodes that there are then.
          </p>
        </ScheduleDialog>
      ) : undefined}
    </>
  );
}
