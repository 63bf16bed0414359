/** What the primary was set up with, and where each value comes from; the text of the log-in page. */

import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useCallback, useState } from 'react';
import {
  changeLoginText,
  readSettings,
  type SettingRow,
  type SettingsAnswer,
} from '../../api/installation.ts';
import { mayDo } from '../../api/session.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

const route = getRouteApi('/settings');

const settingsQuery: UseQueryOptions<SettingsAnswer> = {
  queryKey: ['console', 'settings'],
  queryFn: ({ signal }) => readSettings(signal),
};

export function SettingsPage(): ReactElement {
  const mayView = mayDo(useSession(), 'configuration', 'view_edit');
  return (
    <>
      <PageHeader title="Settings" />
      {mayView ? (
        <div className={styles.page}>
          <LoginText />
          <Settings />
        </div>
      ) : (
        <Empty title="You may not see this page">
          It needs the permission <code>configuration:view_edit</code>.
        </Empty>
      )}
    </>
  );
}

function LoginText(): ReactElement {
  const text = useQuery(settingsQuery);
  return (
    <section aria-labelledby="login-text">
      <h2 id="login-text">Log-in text</h2>
      {text.data === undefined ? (
        <Pending query={text} what="The text" rows={1} />
      ) : (
        <LoginTextForm key={text.data.login_text} stored={text.data.login_text ?? ''} />
      )}
    </section>
  );
}

function LoginTextForm({ stored }: { readonly stored: string }): ReactElement {
  const queries = useQueryClient();
  const [text, setText] = useState(stored);
  const [failure, setFailure] = useState<unknown>();
  const save = async () => {
    setFailure(undefined);
    try {
      await changeLoginText(text.trim());
      await queries.invalidateQueries({ queryKey: settingsQuery.queryKey ?? [] });
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      <TextField
        label="Shown before log-in"
        value={text}
        rows={3}
        placeholder="Authorised use only"
        onChange={setText}
      />
      {failure === undefined ? undefined : <Failure title="The text was not saved" error={failure} />}
      <div>
        <Button isDisabled={text.trim() === stored} onPress={() => void save()}>
          Save
        </Button>
      </div>
    </>
  );
}

function Settings(): ReactElement {
  const { q, show: chosen } = route.useSearch();
  const show = chosen ?? (q === undefined ? 'set' : 'all');
  const navigate = route.useNavigate();
  const settings = useQuery(settingsQuery);
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings of this primary</h2>
      <p className={styles.hint}>
        Settings are read at startup. Change them in the file shown and restart the primary.
      </p>
      <div className={styles.filter}>
        <SearchField label="Search settings" value={q ?? ''} placeholder="Name or word" onChange={search} />
        <Select
          label="Which settings"
          value={show}
          options={[
            ['set', 'Set here'],
            ['all', 'All'],
          ]}
          onChange={(wanted) =>
            void navigate({ search: (before) => ({ ...before, show: wanted === 'all' ? 'all' : 'set' }) })
          }
        />
      </div>
      {settings.data === undefined ? (
        <Pending query={settings} what="The settings" />
      ) : (
        <List rows={settings.data.settings.filter((row) => isWanted(row, q, show === 'all'))} />
      )}
    </section>
  );
}

function isWanted({ doc, name, origin }: SettingRow, q: string | undefined, isAll: boolean): boolean {
  const words = (q ?? '').toLowerCase().split(/\s+/);
  const text = `${name}\n${doc}`.toLowerCase();
  return words.every((word) => text.includes(word)) && (isAll || origin !== 'default');
}

/** What stands between backticks is code. */
function withCode(doc: string): readonly ReactNode[] {
  return doc.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

function List({ rows }: { readonly rows: readonly SettingRow[] }): ReactElement {
  if (rows.length === 0)
    return <Empty title="No setting matches">Search for another word, or show all settings.</Empty>;
  return (
    <dl className={styles.settings}>
      {rows.map(({ doc, name, origin, value, ...row }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{visibleText(value) || 'empty'}</code>
            <span className={styles.hint}>
              {origin === 'default'
                ? 'default'
                : visibleText(`from ${origin}; default ${row.default || 'empty'}`)}
            </span>
            <span className={styles.doc}>{withCode(doc)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
