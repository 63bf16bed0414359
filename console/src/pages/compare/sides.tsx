/** Which nodes are compared. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { type FormEvent, type ReactElement, useEffect, useId, useState } from 'react';
import { mayDo } from '../../api/session.ts';
import { environmentNames } from '../../features/environment-queries.ts';
import { useSession } from '../../features/session.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './page.module.css';
import { namesLike } from './queries.ts';
import { readSide, sideText } from './search.ts';

const route = getRouteApi('/compare');

export function Sides(): ReactElement {
  const { kind = 'catalog', left = '', right = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState({ left, right });
  useEffect(() => setTyped({ left, right }), [left, right]);
  const go = (sides: { readonly left: string; readonly right: string }) =>
    void navigate({
      search: (before) => ({
        ...before,
        left: sides.left.trim() || undefined,
        right: sides.right.trim() || undefined,
      }),
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(typed);
  };
  const part = (side: 'left' | 'right', label: string) => (
    <SideFields
      label={label}
      value={typed[side]}
      hasSource={kind === 'catalog'}
      onChange={(value) => setTyped((before) => ({ ...before, [side]: value }))}
    />
  );
  return (
    <form className={styles.sides} onSubmit={submit}>
      {part('left', 'Left node')}
      <Button
        look="quiet"
        label="Swap the sides"
        onPress={() => go({ left: typed.right, right: typed.left })}
      >
        <ArrowLeftRight size={16} aria-hidden />
      </Button>
      {part('right', 'Right node')}
      <Button look="primary" type="submit" isDisabled={typed.left === '' || typed.right === ''}>
        Compare
      </Button>
    </form>
  );
}

interface SideFieldsProps {
  readonly label: string;
  /** `CERTNAME` or `CERTNAME@ENVIRONMENT` */
  readonly value: string;
  /** Whether the catalog can be one that is compiled now. */
  readonly hasSource: boolean;
  readonly onChange: (value: string) => void;
}

function SideFields({ hasSource, label, onChange, value }: SideFieldsProps): ReactElement {
  const list = useId();
  const { certname, environment } = readSide(value);
  const { data: names = [] } = useQuery(namesLike(certname));
  return (
    <span className={styles.side}>
      <input
        aria-label={label}
        className={styles.field}
        value={certname}
        placeholder={label}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(sideText({ certname: event.target.value, environment }))}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {hasSource ? (
        <SourceSelect
          label={`Catalog of the ${label.toLowerCase()}`}
          environment={environment}
          onChange={(chosen) => onChange(sideText({ certname, environment: chosen }))}
        />
      ) : undefined}
    </span>
  );
}

interface SourceSelectProps {
  readonly label: string;
  readonly environment: string | undefined;
  readonly onChange: (environment: string | undefined) => void;
}

function SourceSelect({ environment, label, onChange }: SourceSelectProps): ReactElement {
  const session = useSession();
  const { data: names = [] } = useQuery(environmentNames());
  const mayCompile = mayDo(session, 'puppetserver', 'compile_catalogs');
  const environments = mayCompile ? names : [];
  const all =
    environment === undefined || environments.includes(environment)
      ? environments
      : [...environments, environment];
  return (
    <Select
      label={label}
      value={environment ?? ''}
      options={[['', 'Last catalog'], ...all.map((name) => [name, `Compiled in ${name}`] as const)]}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}
