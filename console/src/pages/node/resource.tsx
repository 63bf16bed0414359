/** One resource of a catalog: parameters, where it is declared, what comes before and after it. */

import { getRouteApi, Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { EdgeRow, ResourceRow } from '../../api/puppetdb.ts';
import { ValueExplanation } from '../../features/explanation.tsx';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import styles from './page.module.css';
import resourceStyles from './resource.module.css';

const route = getRouteApi('/nodes/$certname');

interface ResourceProps {
  readonly certname: string;
  readonly resource: ResourceRow;
  readonly edges: readonly EdgeRow[];
}

interface Relation {
  readonly title: string;
  readonly references: readonly string[];
}

export function Resource({ certname, edges, resource }: ResourceProps): ReactElement {
  const { exported, file, line, parameters, tags, title, type } = resource;
  const reference = `${type}[${title}]`;
  const names = Object.keys(parameters).toSorted();
  const { why } = route.useSearch();
  return (
    <section className={resourceStyles.resource} aria-label={`Resource ${reference}`}>
      <header className={resourceStyles.resourceHead}>
        <h2>
          <code>{visibleText(reference)}</code>
        </h2>
        <Link
          to="."
          search={(before) => ({ ...before, resource: undefined, why: undefined })}
          resetScroll={false}
          aria-label="Close the resource"
        >
          <X size={16} aria-hidden />
        </Link>
      </header>
      {file === null ? undefined : (
        <p className={resourceStyles.place}>{visibleText(`${file}${line === null ? '' : `:${line}`}`)}</p>
      )}
      {why === undefined ? (
        <p>
          <Link
            from="/nodes/$certname"
            to="/nodes/$certname"
            search={(before) => ({ ...before, why: '1' })}
            resetScroll={false}
            className={resourceStyles.whyHere}
          >
            Why is this here?
          </Link>
        </p>
      ) : (
        <>
          <h3>Why is this here?</h3>
          <ValueExplanation query={{ certname, resource: reference }} />
        </>
      )}
      {exported ? <p className={styles.note}>Exported: other nodes may collect it.</p> : undefined}
      <h3>Parameters</h3>
      {names.length === 0 ? <p className={styles.none}>None.</p> : undefined}
      <dl className={resourceStyles.parameters}>
        {names.map((name) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{valueText(parameters[name])}</dd>
          </div>
        ))}
      </dl>
      {relationsOf(reference, edges).map(({ references, title: name }) => (
        <Relations key={name} title={name} references={references} />
      ))}
      <h3>Tags</h3>
      <p className={resourceStyles.tags}>{tags.map(visibleText).join(', ')}</p>
    </section>
  );
}

function Relations({ references, title }: Relation): ReactElement | undefined {
  if (references.length === 0) return undefined;
  return (
    <>
      <h3>{title}</h3>
      <ul className={resourceStyles.references}>
        {references.map((each) => (
          <li key={each}>
            <Link to="." search={(before) => ({ ...before, resource: each })} resetScroll={false}>
              <code>{visibleText(each)}</code>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function relationsOf(reference: string, edges: readonly EdgeRow[]): readonly Relation[] {
  const before = edges.filter((edge) => targetOf(edge) === reference);
  const after = edges.filter((edge) => sourceOf(edge) === reference);
  const isContained = ({ relationship }: EdgeRow) => relationship === 'contains';
  return [
    { title: 'Contained in', references: before.filter(isContained).map(sourceOf) },
    { title: 'Comes after', references: before.filter((edge) => !isContained(edge)).map(sourceOf) },
    { title: 'Comes before', references: after.filter((edge) => !isContained(edge)).map(targetOf) },
    { title: 'Contains', references: after.filter(isContained).map(targetOf) },
  ];
}

function sourceOf({ source_title, source_type }: EdgeRow): string {
  return `${source_type}[${source_title}]`;
}

function targetOf({ target_title, target_type }: EdgeRow): string {
  return `${target_type}[${target_title}]`;
}
