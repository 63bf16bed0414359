/** What the nodes of the filter have in common: values with their numbers, each of which narrows the filter. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { countValues } from '../../api/fleet.ts';
import { termsIn, termText, withinEnvironment } from '../../lib/filter-terms.ts';
import { valueText } from '../../lib/visible-text.ts';
import styles from './filter.module.css';

const fields = [
  ['environment', 'Environment'],
  ['fact.os.name', 'os.name'],
  ['fact.os.release.major', 'os.release.major'],
  ['fact.virtual', 'virtual'],
  ['trusted.extensions.pp_role', 'pp_role'],
] as const;

const shownValues = 6;

interface FacetsProps {
  /** The filter. */
  readonly text: string;
  readonly environment: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Counted when somebody opens it. */
export function Facets({ environment, onChange, text }: FacetsProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.facets} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Facets</summary>
      {isOpen ? (
        <div className={styles.facetLists}>
          {fields.map(([field, title]) => (
            <Facet
              key={field}
              field={field}
              title={title}
              text={text}
              environment={environment}
              onChange={onChange}
            />
          ))}
        </div>
      ) : undefined}
    </details>
  );
}

interface FacetProps extends FacetsProps {
  readonly field: string;
  readonly title: string;
}

function Facet({ environment, field, onChange, text, title }: FacetProps): ReactElement | undefined {
  const q = withinEnvironment(text, environment);
  const { data } = useQuery({
    queryKey: ['console', 'nodes', 'facets', field, q],
    queryFn: ({ signal }) => countValues({ field, q, limit: shownValues }, signal),
    placeholderData: (previous) => previous,
  });
  if (data === undefined || data.values.length === 0) return undefined;
  const present = termsIn(text);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {data.values.map(({ count, value }) => {
          const term = termText(field, String(value));
          return (
            <li key={term}>
              <button
                type="button"
                disabled={present.includes(term)}
                onClick={() => onChange([...present, term].join(' '))}
              >
                <span>{valueText(value)}</span>
                <span>{count.toLocaleString()}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {data.distinct > shownValues ? <p>{(data.distinct - shownValues).toLocaleString()} more</p> : undefined}
    </section>
  );
}
