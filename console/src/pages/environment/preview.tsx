/** What this environment would do to a node: its catalog compiled here, beside the one that it has. */

import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './files.module.css';

const route = getRouteApi('/code/$environment');

export function Preview({ environment }: { readonly environment: string }): ReactElement {
  const { node = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(node);
  if (!mayDo(useSession(), 'puppetserver', 'compile_catalogs'))
    return (
      <Empty title="You may not compile catalogs">
        A preview needs the permission <code>puppetserver:compile_catalogs</code>.
      </Empty>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      to: '/compare',
      search: { left: typed.trim(), right: `${typed.trim()}@${environment}` },
    });
  };
  return (
    <section aria-label="Preview" className={styles.files}>
      <p>
        Compiles the catalog of a node in this environment and compares it with the node’s current catalog.
        Nothing is changed or stored.
      </p>
      <form onSubmit={submit} className={styles.form}>
        <TextField label="Node" value={typed} onChange={setTyped} isRequired />
        <div>
          <Button type="submit" look="primary" isDisabled={typed.trim() === ''}>
            Preview
          </Button>
        </div>
      </form>
      <p className={styles.hint}>
        <Link to="/nodes" search={{ q: `environment:${environment}` }} className={styles.link}>
          Nodes in {environment}
        </Link>
      </p>
    </section>
  );
}
