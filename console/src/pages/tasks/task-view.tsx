/** One task: what it does, and the form that runs it. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { TaskDetails } from '../../api/tasks.ts';
import styles from '../../features/run/form.module.css';
import type { Parameter } from '../../lib/value-editor.ts';
import { editorOf } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { taskByName } from './queries.ts';
import { TaskForm } from './task-form.tsx';

interface TaskViewProps {
  readonly name: string;
  readonly environment: string;
}

export function TaskView({ environment, name }: TaskViewProps): ReactElement {
  const task = useQuery(taskByName(name, environment));
  if (task.data !== undefined) return <Task task={task.data} environment={environment} />;
  if (!task.isError) return <LoadingRows label="The task is loading" />;
  if ('status' in task.error && task.error.status === 404)
    return (
      <Empty title={`There is no task ${visibleText(name)}`}>
        The code of the environment {environment} does not contain it.
      </Empty>
    );
  return <Failure title="The task can’t be shown" error={task.error} onRetry={() => void task.refetch()} />;
}

function Task({
  environment,
  task,
}: {
  readonly task: TaskDetails;
  readonly environment: string;
}): ReactElement {
  const { description } = task.metadata;
  return (
    <article aria-label={task.name} className={styles.view}>
      <header>
        <h2 className={styles.title}>{visibleText(task.name)}</h2>
        {description === undefined ? undefined : <p className={styles.about}>{visibleText(description)}</p>}
      </header>
      <TaskForm task={task} environment={environment} parameters={parametersOf(task)} />
    </article>
  );
}

function parametersOf({ metadata: { parameters } }: TaskDetails): readonly Parameter[] {
  return Object.entries(parameters ?? {}).map(([name, declared]) => {
    const { description, sensitive, type = 'Any' } = declared;
    const hasDefault = declared.default !== undefined;
    return {
      name,
      type,
      ...(description === undefined ? {} : { description }),
      ...(hasDefault ? { defaultText: textOf(declared.default) } : {}),
      isRequired: !hasDefault && !editorOf(type).isOptional,
      isSensitive: sensitive === true,
    };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
