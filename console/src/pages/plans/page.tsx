/** Plans of the live code, and those that were run. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { ListAndDetail } from '../../features/list-and-detail.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { CodeList, found } from '../../features/run/code-list.tsx';
import { EnvironmentField } from '../../features/run/environment-field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { PlanJobs } from './plan-jobs.tsx';
import { PlanView } from './plan-view.tsx';
import { planList } from './queries.ts';

const route = getRouteApi('/plans/{-$name}');

export function PlansPage(): ReactElement {
  return (
    <JobsOnly>
      <Plans />
    </JobsOnly>
  );
}

function Plans(): ReactElement {
  const { name } = route.useParams();
  const { environment = 'production' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (chosen: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, environment: chosen }) }),
    [navigate],
  );
  return (
    <>
      <PageHeader title="Plans" />
      <ListAndDetail
        isChosen={name !== undefined}
        back={
          <Link to="/plans/{-$name}" params={{ name: undefined }} search={(before) => before}>
            All plans
          </Link>
        }
        list={
          <>
            <EnvironmentField value={environment} onChange={change} />
            <List />
          </>
        }
        detail={
          name === undefined ? (
            <PlanJobs />
          ) : (
            // Another plan has other fields.
            <PlanView key={`${environment} ${name}`} name={name} environment={environment} />
          )
        }
      />
    </>
  );
}

function List(): ReactElement {
  const { environment = 'production', q = '' } = route.useSearch();
  const { name: selected } = route.useParams();
  const navigate = route.useNavigate();
  const plans = useQuery(planList(environment));
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  if (plans.data === undefined)
    return plans.isError ? (
      <Failure title="The plans can’t be shown" error={plans.error} onRetry={() => void plans.refetch()} />
    ) : (
      <LoadingRows label="The plans are loading" />
    );
  if (plans.data.length === 0)
    return (
      <Empty title="The code has no plans">
        A module has them in its directory <code>plans</code>.
      </Empty>
    );
  const items = plans.data.map(({ name, permitted }) => ({
    name,
    obstacle: permitted ? undefined : `You need the permission plans:run on ${name}.`,
  }));
  const shown = found(items, q);
  return (
    <>
      <SearchField label="Search plans" value={q} placeholder="A part of a name" onChange={search} />
      {shown.length === 0 ? <Empty title="No plan matches" /> : undefined}
      <CodeList
        label="Plans"
        items={shown}
        selected={selected}
        link={(name, more, content) => (
          <Link to="/plans/{-$name}" params={{ name }} search={(before) => before} {...more}>
            {content}
          </Link>
        )}
      />
    </>
  );
}
