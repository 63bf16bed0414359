/** Facts as columns of the list. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { readFactNames } from '../../api/puppetdb.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './filter.module.css';
import { factColumns } from './search.ts';

const route = getRouteApi('/nodes');
const mostColumns = 20;

export function Columns(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { data: names = [] } = useQuery({
    queryKey: ['pdb', 'fact-names'],
    queryFn: ({ signal }) => readFactNames(signal),
    enabled: isOpen,
  });
  const paths = factColumns(search);
  const show = (next: readonly string[]) =>
    void navigate({ search: (before) => ({ ...before, facts: next.join() || undefined }), replace: true });
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget).get('fact'))
      .trim()
      .replace(/^facts?\./, '');
    if (/^[\w.]+$/.test(path) && !paths.includes(path) && paths.length < mostColumns) show([...paths, path]);
    event.currentTarget.reset();
  };
  return (
    <details className={styles.facets} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Columns</summary>
      <form className={styles.columns} onSubmit={add}>
        <Field label="Fact" name="fact" placeholder="os.release.full" suggestions={names} isRequired />
        <Button type="submit">Add column</Button>
      </form>
      <ul className={styles.terms} aria-label="Columns of facts">
        {paths.map((path) => (
          <li key={path} className={styles.term}>
            <span>{path}</span>
            <button
              type="button"
              aria-label={`Remove column ${path}`}
              onClick={() => show(paths.filter((each) => each !== path))}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
