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
        Compiles the catalog of a node with this environment and shows what differs from the catalog that the
        node has. Nothing is changed on the node, and nothing is stored.
      </p>
      <form onSubmit={submit} className={styles.files}>
        <TextField label="Node" value={typed} onChange={setTyped} isRequired />
        <div>
          <Button type="submit" look="primary" isDisabled={typed.trim() === ''}>
            Preview
          </Button>
        </div>
      </form>
      <p className={styles.hint}>
        Which nodes ran with it:{' '}
        <Link to="/nodes" search={{ q: `environment:${environment}` }} className={styles.link}>
          nodes of {environment}
        </Link>
      </p>
    </section>
  );
}
