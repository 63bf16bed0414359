/** The groups that a node is in and why, and which of them gives it what. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ClassValues, Explanation, GroupRow } from '../../api/classifier.ts';
import { ApiError } from '../../api/client.ts';
import { ValueExplanation } from '../../features/explanation.tsx';
import { LookupForm } from '../../features/lookup-form.tsx';
import { everyNode, givingGroups, lineage, reasonsOf } from '../../lib/classification.ts';
import { subjectOf } from '../../lib/explained.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import groupStyles from './groups.module.css';
import styles from './page.module.css';
import { allGroups, classification } from './queries.ts';

const route = getRouteApi('/nodes/$certname');

export function Groups({ certname }: { readonly certname: string }): ReactElement {
  const explanation = useQuery(classification(certname));
  const groups = useQuery(allGroups());
  const error = explanation.error ?? groups.error;
  const retry = () => {
    void explanation.refetch();
    void groups.refetch();
  };
  if (explanation.data !== undefined && groups.data !== undefined)
    return (
      <>
        <LookUp certname={certname} />
        <Classified certname={certname} explanation={explanation.data} groups={groups.data} />
      </>
    );
  if (error instanceof ApiError && error.status === 403)
    return (
      <>
        <LookUp certname={certname} />
        <Empty title="You may not see node groups">
          A role with the permission node_groups:view lets you.
        </Empty>
      </>
    );
  if (error instanceof ApiError && error.status === 404)
    return (
      <>
        <LookUp certname={certname} />
        <Empty title="This installation has no classifier">
          The setting <code>node_terminus</code> names what classifies nodes here.
        </Empty>
      </>
    );
  if (error !== null) return <Failure title="The groups can’t be shown" error={error} onRetry={retry} />;
  return <LoadingRows label="The groups are loading" />;
}

/** Where the node gets a value from. */
function LookUp({ certname }: { readonly certname: string }): ReactElement {
  const { lookup = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <section aria-label="Look up a value" className={groupStyles.lookUp}>
      <LookupForm
        key={lookup}
        value={lookup}
        onLookUp={(key) => void navigate({ search: (before) => ({ ...before, lookup: key }) })}
      />
      {lookup === '' ? undefined : <ValueExplanation query={{ certname, ...subjectOf(lookup) }} />}
    </section>
  );
}

interface ClassifiedProps {
  readonly certname: string;
  readonly explanation: Explanation;
  readonly groups: ReadonlyMap<string, GroupRow>;
}

function Classified({ certname, explanation, groups }: ClassifiedProps): ReactElement {
  const leaves = Object.keys(explanation.leaf_groups);
  const final = explanation.final_classification;
  const giving = (gives: (group: GroupRow) => boolean) => givingGroups(leaves, groups, gives).join(', ');
  return (
    <div className={styles.sections}>
      {explanation.conflicts === undefined ? undefined : (
        <section aria-label="Conflicts">
          <h2>Conflicts</h2>
          <p className={styles.note}>
            The groups set different values, so no catalog is compiled for this node.
          </p>
          <pre className={groupStyles.conflicts}>
            {visibleText(JSON.stringify(explanation.conflicts, null, 2))}
          </pre>
        </section>
      )}
      <MatchingGroups certname={certname} explanation={explanation} groups={groups} />
      {final === undefined ? undefined : (
        <>
          <Values
            title="Classes"
            none="No group gives it a class."
            values={final.classes ?? {}}
            source={(name, parameter) =>
              giving(({ classes }) =>
                parameter === undefined ? name in classes : parameter in (classes[name] ?? {}),
              )
            }
          />
          <Values
            title="Data for classes"
            none="No group gives it data."
            values={final.config_data ?? {}}
            source={(name, parameter) =>
              parameter === undefined
                ? ''
                : giving(({ config_data }) => parameter in (config_data[name] ?? {}))
            }
          />
          <Values
            title="Variables and environment"
            none="No variables and no environment."
            values={{ ...wrapped(final.variables ?? {}), ...environmentRow(final.environment) }}
            source={(name) => giving(({ variables }) => name in variables)}
          />
        </>
      )}
    </div>
  );
}

/** Variables as classes with one value each, so that they are shown in the same way. */
function wrapped(variables: Readonly<Record<string, unknown>>): ClassValues {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { '': value }]));
}

function environmentRow(environment: string | undefined): ClassValues {
  return environment === undefined ? {} : { environment: { '': environment } };
}

function Reason({ certname, term }: { readonly certname: string; readonly term: string }): ReactElement {
  if (term === everyNode) return <span>every node</span>;
  if (term === `name = ${certname}`) return <span>pinned</span>;
  return <code>{visibleText(term)}</code>;
}

function MatchingGroups({ certname, explanation, groups }: ClassifiedProps): ReactElement {
  const matches = Object.entries(explanation.match_explanations).flatMap(([id, why]) => {
    const group = groups.get(id);
    return group === undefined ? [] : [{ group, why, depth: lineage(id, groups).length }];
  });
  const sorted = matches.toSorted((a, b) => a.depth - b.depth || (a.group.name < b.group.name ? -1 : 1));
  return (
    <section aria-label="Matching groups">
      <h2>Matching groups</h2>
      {sorted.length === 0 ? (
        <p className={styles.none}>No group with a rule matches this node.</p>
      ) : undefined}
      <ul className={styles.rows}>
        {sorted.map(({ group, why }) => (
          <li key={group.id} className={groupStyles.group}>
            <Link to="/groups/{-$id}" params={{ id: group.id }} className={groupStyles.groupName}>
              {visibleText(group.name)}
            </Link>
            <span className={groupStyles.why}>
              {reasonsOf(why).map((term) => (
                <Reason key={term} certname={certname} term={term} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly none: string;
  readonly values: ClassValues;
  readonly source: (name: string, parameter?: string) => string;
}

function Values({ none, source, title, values }: ValuesProps): ReactElement {
  const names = Object.keys(values).toSorted();
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {names.length === 0 ? <p className={styles.none}>{none}</p> : undefined}
      <ul className={styles.rows}>
        {names.map((name) => (
          <li key={name} className={groupStyles.class}>
            <div className={groupStyles.classLine}>
              <code className={groupStyles.groupName}>{visibleText(name)}</code>
              <span className={groupStyles.source}>{visibleText(source(name))}</span>
            </div>
            {Object.entries(values[name] ?? {}).map(([parameter, value]) => (
              <div key={parameter} className={groupStyles.classLine}>
                <span className={groupStyles.parameter}>
                  {parameter === '' ? undefined : (
                    <span className={groupStyles.parameterName}>{visibleText(parameter)}</span>
                  )}
                  <code>{valueText(value)}</code>
                </span>
                <span className={groupStyles.source}>
                  {parameter === '' ? '' : visibleText(source(name, parameter))}
                </span>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
