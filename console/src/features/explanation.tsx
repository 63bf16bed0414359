/** Where a value comes from, or who declares a resource: each place that was looked at, with its file. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import { type ExplainAnswer, type ExplainQuery, explain } from '../api/explain.ts';
import { mayDo, maySeeDeploys } from '../api/session.ts';
import { kindText, resultText, sourceText } from '../lib/explained.ts';
import { valueText, visibleText } from '../lib/visible-text.ts';
import { Pending } from '../ui/loaded.tsx';
import { Empty } from '../ui/states.tsx';
import styles from './explanation.module.css';
import { useSession } from './session.ts';

type Step = ExplainAnswer['steps'][number];

function explanation(query: ExplainQuery): UseQueryOptions<ExplainAnswer> {
  return {
    queryKey: ['console', 'explain', query],
    queryFn: ({ signal }) => explain(query, signal),
    retry: false,
    staleTime: 30_000,
  };
}

export function ValueExplanation({ query }: { readonly query: ExplainQuery }): ReactElement {
  const isAllowed = mayDo(useSession(), 'puppetserver', 'compile_catalogs');
  const found = useQuery({ ...explanation(query), enabled: isAllowed });
  if (!isAllowed)
    return (
      <Empty title="You may not compile catalogs">
        Explaining a value compiles the node’s catalog, which needs the permission{' '}
        <code>puppetserver:compile_catalogs</code>.
      </Empty>
    );
  if (found.data === undefined) return <Pending query={found} what="The explanation" rows={4} />;
  return <Answer answer={found.data} subject={query.parameter ?? query.lookup} />;
}

interface AnswerProps {
  readonly answer: ExplainAnswer;
  /** The key or parameter; absent for a resource. */
  readonly subject: string | undefined;
}

function Answer({ answer, subject }: AnswerProps): ReactElement {
  const { merge, problem, remarks, source, steps, type, value } = answer;
  return (
    <section
      aria-label={subject === undefined ? 'Why it is here' : 'Where it comes from'}
      className={styles.answer}
    >
      {problem === null ? undefined : (
        <p className={styles.warning}>
          The code does not compile, so manifests and classes were left out: {visibleText(problem)}
        </p>
      )}
      {subject === undefined ? undefined : (
        <p className={styles.head}>
          <code className={styles.subject}>{visibleText(subject)}</code>
          {value === null ? undefined : <Value value={value} />}
          <span className={styles.source}>
            {sourceText(source ?? 'none')}
            {merge === null
              ? ''
              : `, merged with strategy ${merge.strategy}${merge.is_from_data ? ' (from lookup_options)' : ''}`}
          </span>
          {type === null ? undefined : <code className={styles.source}>{visibleText(type)}</code>}
        </p>
      )}
      <ol className={`${styles.steps} ${subject === undefined ? styles.chain : ''}`}>
        {steps.map((step, index) => (
          <StepRow key={index} step={step} answer={answer} isOfValue={subject !== undefined} />
        ))}
      </ol>
      {remarks.map((remark) => (
        <p key={remark} className={styles.source}>
          {visibleText(remark)}
        </p>
      ))}
      {answer.parameters.length === 0 ? undefined : <Parameters answer={answer} />}
    </section>
  );
}

interface StepProps {
  readonly step: Step;
  readonly answer: ExplainAnswer;
  /** `false` explains a resource. */
  readonly isOfValue: boolean;
}

function StepRow({ answer, isOfValue, step }: StepProps): ReactElement {
  const { definition, group, is_decisive: isDecisive, kind, name, original, place, uses, value } = step;
  return (
    <li className={isOfValue && isDecisive ? styles.decisive : undefined}>
      <span className={styles.kind}>{kindText(step)}</span>
      <span className={styles.what}>
        <span className={styles.name}>
          {group === null ? (
            kind === 'default' || kind === 'code' ? (
              <code>{visibleText(name)}</code>
            ) : (
              visibleText(name)
            )
          ) : (
            <Link
              to="/groups/{-$id}"
              params={{ id: group }}
              search={{ tab: 'classes' }}
              className={styles.link}
            >
              {visibleText(name)}
            </Link>
          )}
        </span>
        {place !== null ? (
          <Place place={place} answer={answer} isThere={step.result !== 'no-file'} />
        ) : original === null ? undefined : (
          <code className={styles.place}>{visibleText(original)}</code>
        )}
        {definition === null ? undefined : (
          <span className={styles.source}>
            defined in <Place place={definition} answer={answer} />
          </span>
        )}
        {value === null ? undefined : <Value value={value} />}
        {uses.length === 0 ? undefined : (
          <span className={styles.uses}>
            <span className={styles.source}>interpolates</span>{' '}
            <code>{uses.map(visibleText).join(', ')}</code>
          </span>
        )}
      </span>
      {isOfValue ? (
        <span className={styles.result}>
          {isDecisive ? (
            <>
              <Check size={16} aria-hidden /> used
            </>
          ) : (
            resultText(step)
          )}
        </span>
      ) : undefined}
    </li>
  );
}

interface PlaceProps {
  readonly place: NonNullable<Step['place']>;
  readonly answer: ExplainAnswer;
  readonly isThere?: boolean;
}

/** Opens the file at its line, in the version of code that was compiled. */
function Place({ answer: { commit, environment }, isThere = true, place }: PlaceProps): ReactElement {
  const session = useSession();
  const { file, line, path } = place;
  const text = visibleText(`${file ?? path}${line === null ? '' : `:${line}`}`);
  const maySee = maySeeDeploys(session);
  if (file === null || commit === null || !isThere || !maySee)
    return <code className={styles.place}>{text}</code>;
  return (
    <Link
      to="/code/$environment"
      params={{ environment }}
      search={{ tab: 'files', commit, path: file, line: line === null ? undefined : String(line) }}
      className={styles.link}
    >
      <code className={styles.place}>{text}</code>
    </Link>
  );
}

function Value({ value }: { readonly value: NonNullable<Step['value']> }): ReactElement {
  if (value.is_hidden)
    return (
      <span className={styles.hidden} title="Encrypted, sensitive, or from a function of the code">
        hidden
      </span>
    );
  return <code className={styles.value}>{valueText(value.value)}</code>;
}

function Parameters({ answer }: { readonly answer: ExplainAnswer }): ReactElement {
  const className = answer.steps[0]?.name.replace(/^Class\[(.*)\]$/, '$1').toLowerCase() ?? '';
  return (
    <>
      <h3>Where its parameters come from</h3>
      <ul className={`${styles.steps} ${styles.chain}`}>
        {answer.parameters.map(({ name, place, source, value }) => (
          <li key={name}>
            <span className={styles.kind}>{sourceText(source)}</span>
            <span className={styles.what}>
              <Link
                to="/nodes/$certname"
                params={{ certname: answer.certname }}
                search={{ tab: 'groups', lookup: `${className}::${name}` }}
                className={styles.link}
              >
                {visibleText(name)}
              </Link>
              {value === null ? undefined : <Value value={value} />}
              {place === null ? undefined : <Place place={place} answer={answer} />}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
