/** Tasks of the live code: what they do, and running one on nodes. */

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
import { taskList } from './queries.ts';
import { TaskView } from './task-view.tsx';

const route = getRouteApi('/tasks/{-$name}');

export function TasksPage(): ReactElement {
  return (
    <JobsOnly>
      <Tasks />
    </JobsOnly>
  );
}

function Tasks(): ReactElement {
  const { name } = route.useParams();
  const { code: environment = 'production' } = route.useSearch();
  return (
    <>
      <PageHeader title="Tasks" />
      <ListAndDetail
        isChosen={name !== undefined}
        back={
          <Link
            from="/tasks/{-$name}"
            to="/tasks/{-$name}"
            params={{ name: undefined }}
            search={(before) => before}
          >
            All tasks
          </Link>
        }
        list={
          <>
            <Environment />
            <List />
          </>
        }
        detail={
          name === undefined ? (
            <Empty title="Choose a task">
              It runs on the nodes that you name, that a query finds, or that are in a group.
            </Empty>
          ) : (
            // Another task has other fields.
            <TaskView key={`${environment} ${name}`} name={name} environment={environment} />
          )
        }
      />
    </>
  );
}

function Environment(): ReactElement {
  const { code: environment = 'production' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (chosen: string) => void navigate({ search: (before) => ({ ...before, code: chosen }) }),
    [navigate],
  );
  return <EnvironmentField value={environment} onChange={change} />;
}

function List(): ReactElement {
  const { code: environment = 'production', q = '' } = route.useSearch();
  const { name: selected } = route.useParams();
  const navigate = route.useNavigate();
  const tasks = useQuery(taskList(environment));
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  return (
    <Loaded query={tasks} what="The tasks">
      {(all) => {
        const items = all.filter((task) => task.private !== true);
        if (items.length === 0)
          return (
            <Empty title="There is no task that you may run">
              A role with the permission <code>tasks:run</code> lets you.
            </Empty>
          );
        return (
          <CodeList
            kind="task"
            items={items}
            selected={selected}
            q={q}
            onSearch={search}
            link={(name, more, content) => (
              <Link
                from="/tasks/{-$name}"
                to="/tasks/{-$name}"
                params={{ name }}
                search={(before) => before}
                {...more}
              >
                {content}
              </Link>
            )}
          />
        );
      }}
    </Loaded>
  );
}
