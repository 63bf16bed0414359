/** The filter of the list of nodes: what is typed, the terms that it has, the same as PQL. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactElement, useCallback } from 'react';
import { ApiError } from '../../api/client.ts';
import { PqlButton } from '../../features/command-button.tsx';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { SavedViews, SaveView } from '../../features/saved-views.tsx';
import { termsIn, termText, termValue, withoutTerm } from '../../lib/filter-terms.ts';
import { runStatuses, statusWords } from '../../lib/run-status.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Columns } from './column-choice.tsx';
import { Facets } from './facets.tsx';
import styles from './filter.module.css';
import { nodePages, nodeQuery } from './queries.ts';
import { viewSearch, viewText } from './search.ts';

const route = getRouteApi('/nodes');

export function Filter(): ReactElement {
  const { environment, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (text: string) => {
      const next = text.trim() === '' ? undefined : text;
      void navigate({ search: (before) => ({ ...before, q: next }), replace: true });
    },
    [navigate],
  );
  return (
    <div className={styles.filter}>
      <div className={styles.line}>
        <SearchField
          label="Filter of nodes"
          value={q}
          placeholder="web status:failed fact.os.name=Debian class:apache"
          onChange={change}
        />
        <StatusSelect text={q} onChange={change} />
      </div>
      <Terms text={q} onChange={change} />
      <Facets text={q} environment={environment} onChange={change} />
      <Columns />
      <Summary />
      <SavedViews
        kind="nodes"
        title="Saved views"
        render={({ content }, name) => (
          <Link to="/nodes" search={viewSearch(content)}>
            {name}
          </Link>
        )}
      />
    </div>
  );
}

interface PartProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function StatusSelect({ onChange, text }: PartProps): ReactElement {
  const present = termValue(text, 'status');
  const rest = present === undefined ? text : withoutTerm(text, termText('status', present));
  const choose = (status: string) =>
    onChange([...(status === '' ? [] : [termText('status', status)]), rest].join(' ').trim());
  return (
    <Select
      label="Status"
      value={present ?? ''}
      options={[['', 'Any status'], ...runStatuses.map((each) => [each, statusWords[each]] as const)]}
      onChange={choose}
    />
  );
}

function Terms({ onChange, text }: PartProps): ReactElement | undefined {
  const { error } = useInfiniteQuery(nodePages(route.useSearch()));
  const wrong = wrongTerm(error);
  const terms = termsIn(text);
  if (terms.length === 0) return undefined;
  return (
    <ul className={styles.terms} aria-label="Terms of the filter">
      {terms.map((term) => (
        <li key={term} className={`${styles.term} ${isSame(term, wrong) ? styles.mistake : ''}`}>
          <span>{term}</span>
          <button
            type="button"
            aria-label={`Remove ${term}`}
            onClick={() => onChange(withoutTerm(text, term))}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The server names the term without the sign of its opposite. */
function isSame(term: string, wrong: string | undefined): boolean {
  return wrong !== undefined && term.replace(/^-/, '') === wrong.replace(/^-/, '');
}

function wrongTerm(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || typeof error.details !== 'object' || error.details === null)
    return undefined;
  return 'term' in error.details ? String(error.details.term) : undefined;
}

function Summary(): ReactElement {
  const search = route.useSearch();
  const { data } = useInfiniteQuery(nodePages(search));
  const last = data?.pages.at(-1);
  if (last === undefined) return <div className={styles.summary} />;
  return (
    <div className={styles.summary}>
      <span role="status">{`${last.total.toLocaleString()} ${last.total === 1 ? 'node' : 'nodes'}`}</span>
      <PqlButton pql={last.pql} />
      <Link to="/query" search={{ pql: last.pql }}>
        Open as query
      </Link>
      {last.total === 0 ? undefined : (
        <ExportButtons
          list={{ list: 'nodes', ...nodeQuery(search) }}
          formats={[
            ['csv', 'CSV'],
            ['ndjson', 'JSON'],
            ['text', 'certnames'],
          ]}
        />
      )}
      <SaveView kind="nodes" content={viewText(search)} label="Save view" />
    </div>
  );
}
