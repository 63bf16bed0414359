/** A job with an order: how far each stage is, and going on after a failure. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo } from '../../api/session.ts';
import { jobById } from '../../features/job-queries.ts';
import { JobStateMark, NodeStateMark } from '../../features/job-state.tsx';
import { useTopic } from '../../features/live.ts';
import { useSession } from '../../features/session.ts';
import { useStart } from '../../features/use-start.ts';
import { isOver, type JobNode, nodesText, partsOf } from '../../lib/jobs.ts';
import { levelsOf, restOf, stateOfLevel } from '../../lib/stages.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { levelNodes } from './queries.ts';

const route = getRouteApi('/live');

interface OrderedJobProps {
  readonly id: string;
  readonly onBegun: (id: string) => void;
}

export function OrderedJob({ id, onBegun }: OrderedJobProps): ReactElement {
  const { kind } = route.useSearch();
  const job = useQuery(jobById(id));
  const nodes = useQuery(levelNodes(id));
  useTopic(`job:${id}`);
  const error = job.error ?? nodes.error;
  if (job.data === undefined || nodes.data === undefined)
    return error === null ? (
      <LoadingRows label="The stages are loading" rows={3} />
    ) : (
      <Failure title="The stages can’t be shown" error={error} onRetry={() => void nodes.refetch()} />
    );
  const levels = levelsOf(nodes.data);
  const first = levels.findIndex((level) => stateOfLevel(level) !== 'finished');
  return (
    <>
      <p className={styles.actions}>
        <JobStateMark state={job.data.state} />
        <Link to="/jobs/$id" params={{ id }}>{`Job ${id}`}</Link>
        <Link to="/live" search={{ tab: 'order', kind }}>
          return to the stages
        </Link>
      </p>
      <ol className={styles.stages}>
        {levels.map((level, at) => (
          <li key={level[0]?.name ?? at}>
            <section aria-label={`Stage ${at + 1}`} className={styles.stage}>
              <h2 className={styles.actions}>
                {`Stage ${at + 1}`} <NodeStateMark state={stateOfLevel(level)} />
              </h2>
              <ul>
                {level.map((node) => (
                  <Member key={node.name} node={node} />
                ))}
              </ul>
              {isOver(job.data) && at === first ? (
                <Continue rest={restOf(levels)} onBegun={onBegun} />
              ) : undefined}
            </section>
          </li>
        ))}
      </ol>
    </>
  );
}

function Member({ node }: { readonly node: JobNode }): ReactElement {
  const reasons = node.result === undefined ? [] : partsOf('deploy', node).filter(({ isError }) => isError);
  return (
    <li className={styles.member}>
      <span className={styles.certname}>
        {visibleText(node.name)}
        {reasons.map(({ text }) => (
          <span key={text} className={styles.reason}>
            {visibleText(text)}
          </span>
        ))}
      </span>
      <NodeStateMark state={node.state} />
    </li>
  );
}

interface ContinueProps {
  readonly rest: readonly (readonly string[])[];
  readonly onBegun: (id: string) => void;
}

function Continue({ onBegun, rest }: ContinueProps): ReactElement {
  const mayRun = mayDo(useSession(), 'puppet_agent', 'run');
  const { failure, isBusy, start } = useStart(onBegun);
  const body = { environment: '', enforce_environment: false, order: rest };
  return (
    <>
      <div className={styles.actions}>
        <Button isDisabled={!mayRun || isBusy} onPress={() => void start('/command/deploy', body)}>
          Continue from here
        </Button>
        <span className={styles.muted}>
          {`Runs on ${nodesText(rest.flat().length)} that did not finish, in the same order.`}
        </span>
      </div>
      {failure === undefined ? undefined : <Failure title="It was not started" error={failure} />}
    </>
  );
}
