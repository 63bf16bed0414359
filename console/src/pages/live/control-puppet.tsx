/** What the Puppet agents of the chosen nodes are told, and what they answer. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayDo, type Session } from '../../api/session.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { ReachLine, useReach } from '../../features/run/reach.tsx';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { agentMessage } from '../../lib/agent-status.ts';
import { deployCommand, taskCommand } from '../../lib/run-command.ts';
import { manyNodes, type Scope } from '../../lib/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { JobResults } from './job-results.tsx';
import { NodeList } from './node-list.tsx';
import styles from './page.module.css';
import { selectableNodes } from './queries.ts';
import { type AgentAction, agentActions } from './search.ts';
import { type Selection, useSelection } from './use-selection.ts';

const route = getRouteApi('/live');

const meanings: Readonly<Record<AgentAction, string>> = {
  runonce: 'Runs Puppet once',
  status: 'Shows whether the agent is enabled or running, and when it last ran',
  enable: 'Enables the agent again',
  disable: 'Disables the agent until it is enabled again',
};

export function ControlPuppet(): ReactElement {
  const { action } = route.useSearch();
  const [selection, setSelection] = useSelection();
  return (
    <div className={styles.page}>
      <NodeList selection={selection} onSelect={setSelection} />
      {action === undefined ? <ActionList /> : <Action key={action} action={action} selection={selection} />}
    </div>
  );
}

function ActionList(): ReactElement {
  return (
    <section aria-label="Actions">
      <h2>Actions</h2>
      <ul>
        {agentActions.map((action) => (
          <li key={action} className={styles.action}>
            <Link from="/live" to="/live" search={(before) => ({ ...before, action })}>
              {action}
            </Link>
            <span className={styles.muted}>{meanings[action]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ActionProps {
  readonly action: AgentAction;
  readonly selection: Selection;
}

function Action({ action, selection }: ActionProps): ReactElement {
  const { job } = route.useSearch();
  return (
    <section aria-label={action} className={styles.form}>
      <div>
        <Link from="/live" to="/live" search={(before) => ({ ...before, action: undefined, job: undefined })}>
          return to action list
        </Link>
      </div>
      <div>
        <h2>{action}</h2>
        <p className={styles.muted}>{meanings[action]}</p>
      </div>
      <ActionForm action={action} selection={selection} />
      {job === undefined ? undefined : (
        <JobResults
          id={job}
          messageOf={({ result }) => (action === 'runonce' ? undefined : agentMessage(result, new Date()))}
        />
      )}
    </section>
  );
}

function ActionForm({ action, selection }: ActionProps): ReactElement {
  const session = useSession();
  const navigate = route.useNavigate();
  const scope = useScope(selection);
  const reached = useReach(scope, action === 'runonce' ? undefined : agentTask);
  const [isNoop, setNoop] = useState(false);
  const [message, setMessage] = useState('');
  const [typed, setTyped] = useState('');
  const { failure, isBusy, start } = useStart(
    (id) => void navigate({ search: (before) => ({ ...before, job: id }) }),
  );
  const count = reached.reach?.total ?? 0;
  const obstacle = obstacleOf(action, session);
  const isSure = count <= manyNodes || typed === String(count);
  const run = requestOf(action, { scope, isNoop, message });
  return (
    <>
      {action === 'runonce' ? (
        <CheckField
          label="No-op: report what would change without changing it"
          isChecked={isNoop}
          onChange={setNoop}
        />
      ) : undefined}
      {action === 'disable' ? (
        <TextField
          label="Message"
          value={message}
          onChange={setMessage}
          hint="Shown when someone runs Puppet on the node"
        />
      ) : undefined}
      {scope === undefined ? <p className={styles.muted}>Select nodes first.</p> : <ReachLine {...reached} />}
      {count > manyNodes ? (
        <TextField label={`Type the number of nodes (${count})`} value={typed} onChange={setTyped} />
      ) : undefined}
      {failure === undefined ? undefined : <Failure title="It was not started" error={failure} />}
      <div className={styles.actions}>
        <Button
          look="primary"
          isDisabled={obstacle !== undefined || count === 0 || isBusy || !isSure}
          onPress={() => void start(run.path, run.body)}
        >
          Run
        </Button>
        <CommandButton text={run.command} />
      </div>
      {obstacle === undefined ? undefined : <p className={styles.muted}>{obstacle}</p>}
    </>
  );
}

/** All that the filter finds go as the query, and not as their names. */
function useScope(selection: Selection): Scope | undefined {
  const { q = '' } = route.useSearch();
  const { data } = useInfiniteQuery(selectableNodes(q));
  if (selection !== 'all') return selection.length === 0 ? undefined : { nodes: selection };
  const pql = data?.pages.at(-1)?.pql;
  return pql === undefined ? undefined : { query: pql };
}

const agentTask = 'bunraku::agent';

interface Order {
  readonly scope: Scope | undefined;
  readonly isNoop: boolean;
  readonly message: string;
}

function requestOf(action: AgentAction, { isNoop, message, scope }: Order) {
  if (action === 'runonce')
    return {
      path: '/command/deploy',
      body: { environment: '', enforce_environment: false, scope, ...(isNoop ? { noop: true } : {}) },
      command: deployCommand({ scope, isNoop }),
    };
  const params = { action, ...(action === 'disable' && message.trim() !== '' ? { message } : {}) };
  return {
    path: '/command/task',
    body: { task: agentTask, params, scope },
    command: taskCommand({
      name: agentTask,
      values: params,
      environment: 'production',
      scope,
      isNoop: false,
    }),
  };
}

function obstacleOf(action: AgentAction, session: Session): string | undefined {
  if (action === 'runonce')
    return mayDo(session, 'puppet_agent', 'run') ? undefined : 'You need the permission puppet_agent:run.';
  return mayDo(session, 'tasks', 'run', agentTask) || mayDo(session, 'tasks', 'run_with_constraints')
    ? undefined
    : `You need the permission tasks:run on ${agentTask}.`;
}
