/** Tokens and sessions: whose they are, when they were used, when they end. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { revokeToken, type TokenRow } from '../../api/access.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { tokenPages } from './queries.ts';

const route = getRouteApi('/access/{-$tab}');
/** What the server calls tokens that browsers show. */
const sessionClient = 'browser session';

export function TokensTab(): ReactElement {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  return (
    <>
      <div className={styles.filter}>
        <SearchField
          label="Search tokens"
          value={q ?? ''}
          placeholder="Login, label or description"
          onChange={search}
        />
      </div>
      <TokenList filter={q} />
    </>
  );
}

interface TokenListProps {
  readonly filter: string | undefined;
  /** The ID of the user whose tokens alone are shown. */
  readonly owner?: string;
}

export function TokenList({ filter, owner }: TokenListProps): ReactElement {
  const tokens = useInfiniteQuery(tokenPages(filter));
  const [chosen, setChosen] = useState<TokenRow>();
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = tokens;
  const rows = useMemo(() => {
    const all = tokens.data?.pages.flatMap(({ items }) => items) ?? [];
    return owner === undefined ? all : all.filter(({ user }) => user.id === owner);
  }, [tokens.data, owner]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (tokens.data === undefined) return <Pending query={tokens} what="The tokens" />;
  return (
    <>
      {rows.length === 0 ? (
        <Empty title="No valid tokens">Generate one on the page of a user.</Empty>
      ) : (
        <DataTable
          label="Tokens"
          columns={columnsWith(setChosen)}
          rows={rows}
          rowKey={({ id }) => id}
          {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
        />
      )}
      {chosen === undefined ? undefined : <Revoke token={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function nameOf({ client, label }: TokenRow): string {
  if (label !== '') return visibleText(label);
  return client === sessionClient ? 'Browser session' : 'No label';
}

function verbOf({ client }: TokenRow): string {
  return client === sessionClient ? 'End session' : 'Revoke';
}

function Revoke({
  onClose,
  token,
}: {
  readonly token: TokenRow;
  readonly onClose: () => void;
}): ReactElement {
  const { failure, isBusy, run } = useChange('rbac');
  const isSession = token.client === sessionClient;
  const revoke = async () => {
    if (await run(() => revokeToken(token.id))) onClose();
  };
  return (
    <Dialog
      title={isSession ? 'End the session' : 'Revoke the token'}
      action={verbOf(token)}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void revoke()}
      onClose={onClose}
    >
      <p>
        <strong>{nameOf(token)}</strong> of {visibleText(token.user.login)}
      </p>
      <p>
        {isSession
          ? 'The browser has to log in again.'
          : 'Programs that use it are refused from now on. This can’t be undone.'}
      </p>
    </Dialog>
  );
}

function columnsWith(choose: (token: TokenRow) => void): readonly Column<TokenRow>[] {
  return [
    {
      id: 'label',
      title: 'Token',
      width: 'minmax(140px, 2fr)',
      narrow: 'first',
      render: (token) => <span title={visibleText(token.description)}>{nameOf(token)}</span>,
    },
    {
      id: 'owner',
      title: 'Owner',
      width: 'minmax(96px, 1fr)',
      narrow: 'detail',
      render: ({ user }) => (
        <Link to="/access/{-$tab}" params={{ tab: undefined }} search={{ id: user.id }}>
          {visibleText(user.login)}
        </Link>
      ),
    },
    {
      id: 'made',
      title: 'Created',
      width: '96px',
      isNumeric: true,
      render: (row) => <Age time={row.creation_date} />,
    },
    {
      id: 'used',
      title: 'Last used',
      width: '96px',
      isNumeric: true,
      render: (row) => <Age time={row.last_active_date} />,
    },
    {
      id: 'ends',
      title: 'Expires',
      width: '96px',
      isNumeric: true,
      render: (row) => <Age time={row.expiration_date} />,
    },
    {
      id: 'revoke',
      title: 'Action',
      width: '112px',
      narrow: 'end',
      isNumeric: true,
      render: (row) => (
        <Button
          look="quiet"
          label={`${verbOf(row)}: ${nameOf(row)} of ${row.user.login}`}
          onPress={() => choose(row)}
        >
          {verbOf(row)}
        </Button>
      ),
    },
  ];
}
