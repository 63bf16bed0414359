/** The nodes of a job by their states, those that failed first, with what they wrote. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayDo } from '../api/session.ts';
import {
  isOver,
  type Job,
  type JobNode,
  type NodeState,
  nodeStates,
  partsOf,
  reportOf,
} from '../lib/jobs.ts';
import { durationText } from '../lib/time.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Pending } from '../ui/loaded.tsx';
import { OutputBlock } from '../ui/output-block.tsx';
import { Empty } from '../ui/states.tsx';
import styles from './job-nodes.module.css';
import { jobOutput, nodePages } from './job-queries.ts';
import { NodeStateMark } from './job-state.tsx';
import { QuickLink } from './quick-link.tsx';
import { useSession } from './session.ts';

/** Larger jobs show the output of a node once it has finished. */
const mostFollowed = 200;

interface JobNodesProps {
  readonly job: Job;
  /** Only nodes in this state. */
  readonly state?: NodeState | undefined;
  /** One sentence about a node, shown in place of its result. */
  readonly messageOf?: (node: JobNode) => string | undefined;
}

export function JobNodes({ job, messageOf, state }: JobNodesProps): ReactElement {
  const nodes = useInfiniteQuery(nodePages(job.name, state));
  const isFollowed = !isOver(job) && job.type !== 'deploy' && job.node_count <= mostFollowed;
  const { data: output } = useQuery({ ...jobOutput(job.name), enabled: isFollowed });
  const rows = nodes.data?.pages.flat() ?? [];
  return (
    <section aria-label="Nodes">
      <Progress job={job} />
      <Counts job={job} />
      {nodes.data !== undefined ? (
        rows.length === 0 ? (
          <Empty title="No nodes in this state" />
        ) : (
          <ul>
            {distinct(rows).map((node) => (
              <li key={node.name}>
                <Node job={job} node={node} output={output?.texts[node.name]} message={messageOf?.(node)} />
              </li>
            ))}
          </ul>
        )
      ) : (
        <Pending query={nodes} what="The nodes" />
      )}
      {nodes.hasNextPage ? (
        <div className={styles.more}>
          <Button isDisabled={nodes.isFetchingNextPage} onPress={() => void nodes.fetchNextPage()}>
            Show more nodes
          </Button>
        </div>
      ) : undefined}
    </section>
  );
}

/** While a job runs, a node can move from one page to another between two questions. */
function distinct(nodes: readonly JobNode[]): readonly JobNode[] {
  return Array.from(new Map(nodes.map((node) => [node.name, node])).values());
}

const colours: Readonly<Record<NodeState, string>> = {
  failed: 'var(--failed)',
  errored: 'var(--failed)',
  skipped: 'var(--muted)',
  running: 'var(--intentional)',
  ready: 'var(--inset)',
  new: 'var(--inset)',
  finished: 'var(--unchanged)',
};

function Progress({ job }: { readonly job: Job }): ReactElement {
  return (
    <div className={styles.bar} aria-hidden>
      {present(job).map(([state, count]) => (
        <span key={state} style={{ flex: count, background: colours[state] }} />
      ))}
    </div>
  );
}

function Counts({ job }: { readonly job: Job }): ReactElement {
  const isShown = { exact: true };
  return (
    <nav aria-label="Nodes by state" className={styles.counts}>
      <Link to="/jobs/$id" params={{ id: job.name }} search={{}} activeOptions={isShown}>
        All {job.node_count.toLocaleString('en')}
      </Link>
      {present(job).map(([state, count]) => (
        <Link key={state} to="/jobs/$id" params={{ id: job.name }} search={{ state }} activeOptions={isShown}>
          <NodeStateMark state={state} count={count} />
        </Link>
      ))}
    </nav>
  );
}

function present({ node_states: counts }: Job): readonly (readonly [NodeState, number])[] {
  return nodeStates.flatMap((state) => {
    const count = counts?.[state] ?? 0;
    return count === 0 ? [] : [[state, count] as const];
  });
}

interface NodeProps {
  readonly job: Job;
  readonly node: JobNode;
  /** Its output so far. */
  readonly output: string | undefined;
  readonly message: string | undefined;
}

function Node({ job, message, node, output }: NodeProps): ReactElement {
  const maySeeNodes = mayDo(useSession(), 'nodes', 'view_data');
  const { duration, level, name, state } = node;
  const hash = reportOf(node);
  const hasEnded = node.result !== undefined;
  return (
    <div className={styles.node}>
      <div className={styles.head}>
        <span className={styles.mark}>
          <NodeStateMark state={state} />
        </span>
        <span className={styles.certname}>
          {maySeeNodes ? (
            <QuickLink link={{ to: '/nodes/$certname', params: { certname: name } }}>{name}</QuickLink>
          ) : (
            visibleText(name)
          )}
        </span>
        {level === undefined ? undefined : (
          <span className={styles.muted}>
            {job.options['order'] === undefined ? 'Batch' : 'Stage'} {level + 1}
          </span>
        )}
        {duration === null ? undefined : <span className={styles.muted}>{durationText(duration)}</span>}
        {hash === undefined || !maySeeNodes ? undefined : (
          <QuickLink link={{ to: '/reports/$hash', params: { hash } }}>Report</QuickLink>
        )}
      </div>
      {message !== undefined ? (
        <p>
          <span className={styles.muted}>message</span> {visibleText(message)}
        </p>
      ) : hasEnded ? (
        partsOf(job.type, node).map(({ isError, text, title }, index) => (
          <Part key={index} text={text} isError={isError} title={title} />
        ))
      ) : (
        output !== undefined && <Part text={output} isError={false} title="Output so far" isLast />
      )}
    </div>
  );
}

interface PartProps {
  readonly text: string;
  readonly isError: boolean;
  readonly title: string | undefined;
  /** Of a long text, the end is shown and not the beginning. */
  readonly isLast?: boolean;
}

const mostCharacters = 3000;

function Part({ isError, isLast = false, text, title }: PartProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > mostCharacters;
  const cut = isLast ? text.slice(-mostCharacters) : text.slice(0, mostCharacters);
  return (
    <div>
      {title === undefined ? undefined : <p className={styles.partTitle}>{title}</p>}
      <OutputBlock isError={isError}>{visibleText(isLong && !isWhole ? cut : text)}</OutputBlock>
      {isLong ? (
        <Button look="quiet" onPress={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      ) : undefined}
    </div>
  );
}
