/** Why a run changed a resource, or failed on it: the causes with their evidence, over the page. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type ChangeCause, explainChange, type WhyAnswer, type WhyQuery } from '../api/changes.ts';
import { maySeeDeploys } from '../api/session.ts';
import { certaintyText, diffLines, factText, filesText } from '../lib/change-causes.ts';
import { placeOf } from '../lib/code-version.ts';
import { exactTime } from '../lib/time.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Failure, LoadingRows } from '../ui/states.tsx';
import { useSession } from './session.ts';
import styles from './why-change.module.css';

function whyQuery(question: WhyQuery): UseQueryOptions<WhyAnswer> {
  return {
    queryKey: ['console', 'why', question],
    queryFn: ({ signal }) => explainChange(question, signal),
    staleTime: 60_000,
  };
}

interface WhyChangeProps {
  readonly question: WhyQuery;
  /** Where many are on a page: what the question is about, for those who hear it. */
  readonly label?: string;
}

export function WhyChange({ label, question }: WhyChangeProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        {...(label === undefined ? {} : { label: `Why did this change? ${label}` })}
        onPress={() => setOpen(true)}
      >
        Why did this change?
      </Button>
      {isOpen ? <Answer question={question} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

interface AnswerProps {
  readonly question: WhyQuery;
  readonly onClose: () => void;
}

function Answer({ onClose, question }: AnswerProps): ReactElement {
  const why = useQuery(whyQuery(question));
  return (
    <Modal title="Why did this change?" onClose={onClose}>
      <p className={styles.resource}>{visibleText(`${question.type}[${question.title}]`)}</p>
      {why.data !== undefined ? (
        <Causes answer={why.data} />
      ) : why.isError ? (
        <Failure title="This can’t be said" error={why.error} onRetry={() => void why.refetch()} />
      ) : (
        <LoadingRows label="The runs are compared" rows={3} />
      )}
      <div className={styles.buttons}>
        <Button onPress={onClose}>Close</Button>
      </div>
    </Modal>
  );
}

function Causes({ answer }: { readonly answer: WhyAnswer }): ReactElement {
  return (
    <>
      {answer.causes.length === 0 ? (
        <p>
          <strong>No known cause.</strong> Code, groups and the facts used in rules are the same as in the run
          before. Other facts, functions that read external data and exported resources are not compared.
        </p>
      ) : (
        <ol className={styles.causes}>
          {answer.causes.map((cause, index) => (
            <li key={index}>
              <span className={`${styles.certainty} ${styles[cause.certainty]}`}>{certaintyText(cause)}</span>
              <div className={styles.cause}>
                <Cause cause={cause} answer={answer} />
              </div>
            </li>
          ))}
        </ol>
      )}
      <Compared answer={answer} />
    </>
  );
}

function Compared({ answer }: { readonly answer: WhyAnswer }): ReactElement {
  const { is_code_known: isCodeKnown, previous } = answer;
  return (
    <p className={styles.hint}>
      {previous === null ? (
        'No earlier run of the node is stored.'
      ) : (
        <>
          Compared with{' '}
          <Link to="/reports/$hash" params={{ hash: previous.report }}>
            the run of {exactTime(new Date(previous.time))}
          </Link>
          .
        </>
      )}
      {isCodeKnown
        ? ''
        : ' The code of the two runs can’t be compared: a version is unknown or no longer stored.'}
    </p>
  );
}

interface CauseProps {
  readonly cause: ChangeCause;
  readonly answer: WhyAnswer;
}

function Cause({ answer, cause }: CauseProps): ReactElement {
  switch (cause.kind) {
    case 'first-run':
      return <p>This is the first stored run of the node: everything is new.</p>;
    case 'drift':
      return (
        <p>
          {cause.certainty === 'sure'
            ? 'The resource has drifted: it was changed outside Puppet.'
            : 'The run corrected drift, and this resource is one of those that it changed.'}{' '}
          {cause.right_at === null
            ? ''
            : `It was in the desired state at ${exactTime(new Date(cause.right_at))} and not any more `}
          {cause.right_at === null ? 'It was not in the desired state ' : ''}at{' '}
          {exactTime(new Date(cause.wrong_at))}.{' '}
          {cause.last_changed === null ? undefined : (
            <Link to="/reports/$hash" params={{ hash: cause.last_changed.report }}>
              Puppet changed it last at {exactTime(new Date(cause.last_changed.time))}
            </Link>
          )}
        </p>
      );
    case 'environment':
      return (
        <p>
          The environment of the node changed from {visibleText(cause.before)} to {visibleText(cause.after)}.
        </p>
      );
    case 'classification':
      return (
        <p>
          {visibleText(cause.change.by)} changed the group {visibleText(cause.change.group)} at{' '}
          {exactTime(new Date(cause.change.time))}:{' '}
          <Link to="/activity/$id" params={{ id: String(cause.change.id) }}>
            {visibleText(cause.change.message)}
          </Link>
        </p>
      );
    case 'groups':
      return <Groups gained={cause.gained} lost={cause.lost} />;
    case 'fact':
      return <p>{factText(cause.fact, cause.before, cause.after)}. Rules of groups use it.</p>;
    case 'code':
    case 'data':
      return <Files cause={cause} answer={answer} />;
    default:
      return cause satisfies never;
  }
}

function Groups({ gained, lost }: { readonly gained: readonly string[]; readonly lost: readonly string[] }) {
  const links = (ids: readonly string[]) =>
    ids.map((id) => (
      <Link key={id} to="/groups/{-$id}" params={{ id }}>
        {id}
      </Link>
    ));
  return (
    <>
      {gained.length === 0 ? undefined : <p>The node now matches these groups: {links(gained)}</p>}
      {lost.length === 0 ? undefined : <p>The node no longer matches these groups: {links(lost)}</p>}
    </>
  );
}

interface FilesProps {
  readonly cause: Extract<ChangeCause, { readonly kind: 'code' | 'data' }>;
  readonly answer: WhyAnswer;
}

function Files({ answer, cause }: FilesProps): ReactElement {
  const { count, files } = cause;
  const place = cause.is_declaration && answer.line !== null ? `, at line ${answer.line} now` : '';
  return (
    <>
      <p>
        {filesText(cause)}
        {place}.
      </p>
      <ul className={styles.files}>
        {files.map(({ change, lines, path }) => (
          <li key={path}>
            <FileLink path={path} isThere={change !== 'removed'} codeId={cause.after} /> {change}
            {lines === '' ? undefined : <Lines text={lines} />}
          </li>
        ))}
      </ul>
      {count > files.length ? <p>And {count - files.length} more.</p> : undefined}
    </>
  );
}

interface FileLinkProps {
  readonly path: string;
  readonly isThere: boolean;
  readonly codeId: string;
}

function FileLink({ codeId, isThere, path }: FileLinkProps): ReactElement {
  const session = useSession();
  const place = placeOf(codeId);
  const text = <code>{visibleText(path)}</code>;
  if (!isThere || place === undefined || !maySeeDeploys(session)) return text;
  const { commit, environment } = place;
  return (
    <Link to="/code/$environment" params={{ environment }} search={{ tab: 'files', commit, path }}>
      {text}
    </Link>
  );
}

function Lines({ text }: { readonly text: string }): ReactElement {
  return (
    <pre className={styles.lines}>
      {diffLines(text).map(({ sign, text: line }, index) => (
        <span
          key={index}
          className={sign === '+' ? styles.added : sign === '-' ? styles.removed : styles.place}
        >
          {sign === '@' ? line : `${sign} ${visibleText(line)}`}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
