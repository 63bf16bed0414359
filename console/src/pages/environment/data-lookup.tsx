/** Looks up a node's data in this environment, with the file of each value. */

import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { ValueExplanation } from '../../features/explanation.tsx';
import { subjectOf } from '../../lib/explained.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './files.module.css';

const route = getRouteApi('/code/$environment');

export function DataLookup({ environment }: { readonly environment: string }): ReactElement {
  const { key = '', node = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typedNode, setNode] = useState(node);
  const [typedKey, setKey] = useState(key);
  const [certname, wanted] = [typedNode.trim(), typedKey.trim()];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: (before) => ({ ...before, node: certname, key: wanted }) });
  };
  return (
    <section aria-label="Data lookup" className={styles.files}>
      <p>
        Looks up a key as a Puppet run of the node in this environment would, with the stored facts of the
        node. Nothing is changed.
      </p>
      <form onSubmit={submit} className={styles.form}>
        <TextField label="Node" value={typedNode} onChange={setNode} isRequired />
        <TextField
          label="Key"
          value={typedKey}
          placeholder="ntp::servers"
          hint="A Hiera key, or CLASS::PARAMETER."
          onChange={setKey}
          isRequired
        />
        <div>
          <Button type="submit" look="primary" isDisabled={certname === '' || wanted === ''}>
            Look up
          </Button>
        </div>
      </form>
      {node === '' || key === '' ? undefined : (
        <ValueExplanation query={{ certname: node, environment, ...subjectOf(key) }} />
      )}
    </section>
  );
}
