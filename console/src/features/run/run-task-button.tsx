/** Leads to the tasks, with nodes to run one on. */

import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo, maySeeJobs } from '../../api/session.ts';
import type { TargetChoice } from '../../lib/targets.ts';
import { Button } from '../../ui/button.tsx';
import { useSession } from '../session.ts';

/** Hidden from users who may run no task. */
export function RunTaskButton({ kind, text }: TargetChoice): ReactElement | undefined {
  const session = useSession();
  const navigate = useNavigate();
  const mayRun = mayDo(session, 'tasks', 'run') || mayDo(session, 'tasks', 'run_with_constraints');
  if (!maySeeJobs(session) || !mayRun) return undefined;
  const search = { by: kind === 'nodes' ? undefined : kind, targets: text };
  return (
    <Button onPress={() => void navigate({ to: '/tasks/{-$name}', params: { name: undefined }, search })}>
      Run task
    </Button>
  );
}
