/** One plan: what it does, and the form that runs it. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { PlanDetails } from '../../api/plans.ts';
import styles from '../../features/run/form.module.css';
import { editorOf, type Parameter } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { PlanForm } from './plan-form.tsx';
import { planByName } from './queries.ts';

interface PlanViewProps {
  readonly name: string;
  readonly environment: string;
}

export function PlanView({ environment, name }: PlanViewProps): ReactElement {
  const plan = useQuery(planByName(name, environment));
  if (plan.data !== undefined) return <Plan plan={plan.data} environment={environment} />;
  if (!plan.isError) return <LoadingRows label="The plan is loading" />;
  if ('status' in plan.error && plan.error.status === 404)
    return (
      <Empty title={`There is no plan ${visibleText(name)}`}>
        The code of the environment {environment} does not contain it.
      </Empty>
    );
  return <Failure title="The plan can’t be shown" error={plan.error} onRetry={() => void plan.refetch()} />;
}

interface PlanProps {
  readonly plan: PlanDetails;
  readonly environment: string;
}

function Plan({ environment, plan }: PlanProps): ReactElement {
  const { description } = plan.metadata;
  return (
    <article aria-label={plan.name} className={styles.view}>
      <header>
        <h2 className={styles.title}>{visibleText(plan.name)}</h2>
        {description === undefined ? undefined : <p className={styles.about}>{visibleText(description)}</p>}
      </header>
      <PlanForm plan={plan} environment={environment} parameters={parametersOf(plan)} />
    </article>
  );
}

function parametersOf({ metadata: { parameters } }: PlanDetails): readonly Parameter[] {
  return Object.entries(parameters).map(([name, declared]) => {
    const { default_value: value, description, sensitive, type } = declared;
    return {
      name,
      type,
      ...(description === undefined ? {} : { description }),
      ...(value === undefined ? {} : { defaultText: textOf(value) }),
      isRequired: value === undefined && !editorOf(type).isOptional,
      isSensitive: sensitive,
    };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
