/** Runs a plan: its parameters, nodes among them, and when. */

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type PlanDetails, type PlanValue, startPlan } from '../../api/plans.ts';
import { CommandButton } from '../../features/command-button.tsx';
import styles from '../../features/run/form.module.css';
import { ParameterFields } from '../../features/run/parameter-fields.tsx';
import { ScheduleDialog } from '../../features/run/schedule-dialog.tsx';
import { TargetPicker } from '../../features/run/target-picker.tsx';
import { objectIn } from '../../lib/json-object.ts';
import { readParameters, type Texts, textsOf } from '../../lib/parameter-texts.ts';
import { planCommand } from '../../lib/run-command.ts';
import type { ScheduleWire } from '../../lib/schedules.ts';
import { scopeOf, type TargetChoice } from '../../lib/targets.ts';
import { editorOf, type Parameter } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';

const route = getRouteApi('/plans/{-$name}');

type Choices = Readonly<Record<string, TargetChoice>>;

interface PlanFormProps {
  readonly plan: PlanDetails;
  readonly environment: string;
  readonly parameters: readonly Parameter[];
}

export function PlanForm({ environment, parameters, plan }: PlanFormProps): ReactElement {
  const { params } = route.useSearch();
  const given = objectIn(params);
  const takesNodes = ({ type }: Parameter) => editorOf(type).editor.kind === 'targets';
  const plain = parameters.filter((each) => !takesNodes(each));
  const ofNodes = parameters.filter(takesNodes);
  const [texts, setTexts] = useState<Texts>(() => textsOf(given));
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(ofNodes.map(({ name }) => [name, choiceOf(given[name])])),
  );
  const read = readParameters(plain, texts);
  const scopes = Object.entries(choices).flatMap(([name, choice]) => {
    const scope = scopeOf(choice);
    return scope === undefined ? [] : [[name, scope] as const];
  });
  const isComplete =
    read.isComplete &&
    ofNodes.every(({ isRequired, name }) => !isRequired || scopes.some(([each]) => each === name));
  const values: Readonly<Record<string, PlanValue>> = {
    ...Object.fromEntries(Object.entries(read.values).map(([name, value]) => [name, { value }] as const)),
    ...Object.fromEntries(
      scopes.map(([name, scope]): readonly [string, PlanValue] => {
        if ('query' in scope) return [name, { type: 'query', value: scope.query }];
        return 'node_group' in scope
          ? [name, { type: 'node_group', value: scope.node_group }]
          : [name, { value: scope.nodes }];
      }),
    ),
  };
  const hidden = new Set(parameters.filter(({ isSensitive }) => isSensitive).map(({ name }) => name));
  return (
    <div className={styles.form}>
      <ParameterFields parameters={plain} texts={texts} onChange={setTexts} />
      {ofNodes.map(({ name }) => (
        <TargetPicker
          key={name}
          label={visibleText(name)}
          choice={choices[name] ?? choiceOf(undefined)}
          onChange={(choice) => setChoices({ ...choices, [name]: choice })}
        />
      ))}
      <RunButtons
        plan={plan}
        environment={environment}
        values={values}
        hidden={hidden}
        isComplete={isComplete}
      />
    </div>
  );
}

/** The nodes that a parameter had before. */
function choiceOf(value: unknown): TargetChoice {
  const names = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return { kind: 'nodes', text: names.map(String).join(', ') };
}

interface RunButtonsProps {
  readonly plan: PlanDetails;
  readonly environment: string;
  readonly values: Readonly<Record<string, PlanValue>>;
  /** Names of sensitive parameters. */
  readonly hidden: ReadonlySet<string>;
  readonly isComplete: boolean;
}

function RunButtons({ environment, hidden, isComplete, plan, values }: RunButtonsProps): ReactElement {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const { name, permitted } = plan;
  const isReady = permitted && isComplete;
  const run = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      const id = await startPlan({ plan_name: name, environment, params: values });
      await navigate({ to: '/plan-jobs/$id', params: { id } });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const plain = plainValues(values);
  const commandOf = (schedule?: ScheduleWire) => {
    const shown = Object.entries(plain ?? {}).filter(([each]) => !hidden.has(each));
    return planCommand({ name, values: Object.fromEntries(shown), environment, schedule });
  };
  return (
    <>
      {failure === undefined ? undefined : <Failure title="The plan was not started" error={failure} />}
      <div className={styles.buttons}>
        <Button look="primary" isDisabled={!isReady || isBusy} onPress={() => void run()}>
          Run plan
        </Button>
        <Button isDisabled={!isReady || plain === undefined} onPress={() => setScheduling(true)}>
          Schedule
        </Button>
        {plain === undefined ? undefined : <CommandButton text={commandOf()} />}
      </div>
      {permitted ? undefined : (
        <p className={styles.about}>{`You need the permission plans:run on ${visibleText(name)}.`}</p>
      )}
      {plain === undefined ? (
        <p className={styles.about}>
          A query or a group becomes a list of nodes when the plan begins. To schedule the plan, name the
          nodes.
        </p>
      ) : undefined}
      {isScheduling && plain !== undefined ? (
        <ScheduleDialog
          title={`Schedule ${visibleText(name)}`}
          type="plan"
          order={{ plan_name: name, environment, params: plain }}
          commandOf={commandOf}
          onClose={() => setScheduling(false)}
        >
          <p>Each run has the parameters that the form has now.</p>
        </ScheduleDialog>
      ) : undefined}
    </>
  );
}

/** @returns `undefined` where nodes have to be found first */
function plainValues(
  values: Readonly<Record<string, PlanValue>>,
): Readonly<Record<string, unknown>> | undefined {
  const entries = Object.entries(values).map(([name, each]) =>
    'type' in each ? undefined : ([name, each.value] as const),
  );
  return entries.includes(undefined)
    ? undefined
    : Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
