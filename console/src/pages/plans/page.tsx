/** Plans of the live code, and those that were run. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { ListAndDetail } from '../../features/list-and-detail.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { CodeList } from '../../features/run/code-list.tsx';
import { EnvironmentField } from '../../features/run/environment-field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
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
  const { code: environment = 'production' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (chosen: string) => void navigate({ search: (before) => ({ ...before, code: chosen }) }),
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
  const { code: environment = 'production', q = '' } = route.useSearch();
  const { name: selected } = route.useParams();
  const navigate = route.useNavigate();
  const plans = useQuery(planList(environment));
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  return (
    <Loaded query={plans} what="The plans">
      {(all) =>
        all.length === 0 ? (
          <Empty title="The code has no plans">
            A module has them in its directory <code>plans</code>.
          </Empty>
        ) : (
          <CodeList
            kind="plan"
            items={all.map(({ name, permitted }) => ({
              name,
              obstacle: permitted ? undefined : `You need the permission plans:run on ${name}.`,
            }))}
            selected={selected}
            q={q}
            onSearch={search}
            link={(name, more, content) => (
              <Link to="/plans/{-$name}" params={{ name }} search={(before) => before} {...more}>
                {content}
              </Link>
            )}
          />
        )
      }
    </Loaded>
  );
}
