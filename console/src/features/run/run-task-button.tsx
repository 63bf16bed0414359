/** Leads to the tasks, with nodes to run one on. */

import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo, maySeeJobs } from '../../api/session.ts';
import { scopeOf, scopeText, type TargetChoice } from '../../lib/targets.ts';
import { Button } from '../../ui/button.tsx';
import { usePageActions } from '../page-actions.ts';
import { useSession } from '../session.ts';

/** Hidden from users who may run no task. */
export function RunTaskButton({ kind, text }: TargetChoice): ReactElement | undefined {
  const session = useSession();
  const navigate = useNavigate();
  const mayRun = mayDo(session, 'tasks', 'run') || mayDo(session, 'tasks', 'run_with_constraints');
  const isShown = maySeeJobs(session) && mayRun;
  const scope = scopeOf({ kind, text });
  const search = { by: kind === 'nodes' ? undefined : kind, targets: text };
  const open = () => void navigate({ to: '/tasks/{-$name}', params: { name: undefined }, search });
  usePageActions(
    isShown && scope !== undefined ? [{ title: `Run task on ${scopeText(scope)}`, act: open }] : [],
  );
  if (!isShown) return undefined;
  return <Button onPress={open}>Run task</Button>;
}
