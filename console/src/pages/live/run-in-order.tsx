/** Puppet on the servers of the installation, stage after stage, as the installation guides want it. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { mayDo } from '../../api/session.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { nodesText } from '../../lib/jobs.ts';
import { orderedCommand } from '../../lib/run-command.ts';
import { type InstallationKind, orderOf, type Stage, stagesOf } from '../../lib/stages.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Failure } from '../../ui/states.tsx';
import { OrderedJob } from './ordered-job.tsx';
import styles from './page.module.css';
import { serversByRole } from './queries.ts';

const route = getRouteApi('/live');

const kinds: readonly (readonly [InstallationKind, string])[] = [
  ['monolithic', 'Monolithic'],
  ['split', 'Split'],
];

export function RunInOrder(): ReactElement {
  const { job, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const servers = useQuery(serversByRole());
  const choose = (chosen: InstallationKind) =>
    void navigate({ search: { tab: 'order', kind: chosen }, replace: true });
  const begun = (id: string) => void navigate({ search: (before) => ({ ...before, job: id }) });
  return (
    <div className={styles.form}>
      <p className={styles.muted}>
        Puppet runs on the nodes of a stage when all nodes of the stage before have finished. If a node fails,
        the remaining stages are skipped. The server keeps the order: you can close this page.
      </p>
      <div className={styles.actions}>
        {kinds.map(([each, title]) => (
          <Button key={each} look={each === kind ? 'primary' : 'plain'} onPress={() => choose(each)}>
            {title}
          </Button>
        ))}
      </div>
      {job !== undefined ? (
        <OrderedJob key={job} id={job} onBegun={begun} />
      ) : kind === undefined ? undefined : servers.data === undefined ? (
        <Pending query={servers} what="The servers" rows={3} />
      ) : (
        // What was edited belongs to the kind.
        <Stages key={kind} filled={stagesOf(kind, servers.data.levels)} onBegun={begun} />
      )}
    </div>
  );
}

interface StagesProps {
  /** By the roles of the servers. */
  readonly filled: readonly Stage[];
  readonly onBegun: (id: string) => void;
}

function Stages({ filled, onBegun }: StagesProps): ReactElement {
  const mayRun = mayDo(useSession(), 'puppet_agent', 'run');
  const [stages, setStages] = useState(filled);
  const { failure, isBusy, start } = useStart(onBegun);
  const order = orderOf(stages);
  const count = order.flat().length;
  const change = (at: number, nodes: readonly string[]) =>
    setStages(stages.map((stage, index) => (index === at ? { ...stage, nodes } : stage)));
  return (
    <>
      <ol className={styles.stages}>
        {stages.map((stage, at) => (
          <li key={stage.title}>
            <EditedStage
              stage={stage}
              number={at + 1}
              known={stages.flatMap(({ nodes }) => nodes)}
              onChange={(nodes) => change(at, nodes)}
            />
          </li>
        ))}
      </ol>
      {failure === undefined ? undefined : <Failure title="It was not started" error={failure} />}
      <p role="status" className={styles.muted}>
        {`${nodesText(count)} in ${order.length} ${order.length === 1 ? 'stage' : 'stages'}`}
      </p>
      <div className={styles.actions}>
        <Button
          look="primary"
          isDisabled={!mayRun || count === 0 || isBusy}
          onPress={() =>
            void start('/command/deploy', { environment: '', enforce_environment: false, order })
          }
        >
          Run
        </Button>
        <CommandButton text={orderedCommand(order)} />
      </div>
      {mayRun ? undefined : <p className={styles.muted}>You need the permission puppet_agent:run.</p>}
    </>
  );
}

interface EditedStageProps {
  readonly stage: Stage;
  readonly number: number;
  /** Nodes of all stages: each may be in one. */
  readonly known: readonly string[];
  readonly onChange: (nodes: readonly string[]) => void;
}

function EditedStage({ known, number, onChange, stage }: EditedStageProps): ReactElement {
  const { nodes, title } = stage;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('node')).trim().toLowerCase();
    if (name !== '' && !known.includes(name)) onChange([...nodes, name]);
    event.currentTarget.reset();
  };
  return (
    <section aria-label={`Stage ${number}: ${title}`} className={styles.stage}>
      <h2>{`${number}. ${title}`}</h2>
      {nodes.length === 0 ? (
        <p className={styles.muted}>No server has this role. The stage is left out.</p>
      ) : undefined}
      <ul>
        {nodes.map((name) => (
          <li key={name} className={styles.member}>
            <span className={styles.certname}>{visibleText(name)}</span>
            <Button
              look="quiet"
              label={`Remove ${name}`}
              onPress={() => onChange(nodes.filter((each) => each !== name))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.add} onSubmit={add}>
        <Field label="Certname" name="node" placeholder="node name" isRequired />
        <Button type="submit">Add node</Button>
      </form>
    </section>
  );
}
