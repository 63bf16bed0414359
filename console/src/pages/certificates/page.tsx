/** Requests for certificates and the certificates themselves: accept, reject, revoke, clean. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import type { CertificateRow } from '../../api/certificates.ts';
import { mayDo, maySeeCertificates } from '../../api/session.ts';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { waitingReason } from '../../lib/waiting-reason.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AcceptAll } from './accept-all.tsx';
import { type CertificateAction, Decision, isSpecial, namesOf } from './decision.tsx';
import styles from './page.module.css';
import { certificatePages } from './queries.ts';
import { certificateStates } from './search.ts';

const route = getRouteApi('/certificates');

const titles = { requested: 'Requests', signed: 'Signed', revoked: 'Revoked' } as const;

export function CertificatesPage(): ReactElement {
  const { q = '', state = 'requested' } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  useTopic('certificates', maySeeCertificates(session));
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const select = (id: string) => {
    const chosen = certificateStates.find((each) => each === id);
    void navigate({
      search: (before) => ({ ...before, state: chosen === 'requested' ? undefined : chosen }),
    });
  };
  return (
    <>
      <PageHeader title="Certificates">
        <div className={styles.filter}>
          <SearchField
            label="Search certificates"
            value={q}
            placeholder="Certname, alternative name or fingerprint"
            onChange={search}
          />
        </div>
      </PageHeader>
      <Tabs
        label="States of certificates"
        selected={state}
        onSelect={select}
        tabs={certificateStates.map((id) => ({ id, title: titles[id], render: () => <List /> }))}
      />
    </>
  );
}

interface Chosen {
  readonly action: CertificateAction;
  readonly row: CertificateRow;
}

function List(): ReactElement {
  const session = useSession();
  const search = route.useSearch();
  const pages = useInfiniteQuery(certificatePages(search));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const rows = useMemo(() => pages.data?.pages.flat() ?? [], [pages.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const [chosen, setChosen] = useState<Chosen>();
  if (pages.data === undefined) return <Pending query={pages} what="The certificates" rows={8} />;
  const mayAccept = mayDo(session, 'cert_requests', 'accept_reject');
  return (
    <>
      {search.state === undefined && mayAccept ? <AcceptAll rows={rows} /> : undefined}
      {rows.length === 0 ? (
        <Nothing />
      ) : (
        <DataTable
          label="Certificates"
          columns={columnsOf(search.state ?? 'requested', setChosen)}
          rows={rows}
          rowKey={({ name }) => name}
          {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
        />
      )}
      {chosen === undefined ? undefined : <Decision {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function Nothing(): ReactElement {
  const { q, state = 'requested' } = route.useSearch();
  if (q !== undefined)
    return <Empty title="No certificate matches">Search for a shorter part of a name.</Empty>;
  if (state === 'requested')
    return (
      <Empty title="No certificate requests">
        An agent requests one at its first run. New requests appear here without a reload.
      </Empty>
    );
  return <Empty title={state === 'signed' ? 'No signed certificates' : 'No revoked certificates'} />;
}

const actions: Readonly<Record<CertificateRow['state'], readonly CertificateAction[]>> = {
  requested: ['accept', 'reject'],
  signed: ['revoke', 'clean'],
  revoked: ['clean'],
};
const labels: Readonly<Record<CertificateAction, string>> = {
  accept: 'Accept',
  reject: 'Reject',
  revoke: 'Revoke',
  clean: 'Clean',
};

function columnsOf(
  state: CertificateRow['state'],
  choose: (chosen: Chosen) => void,
): readonly Column<CertificateRow>[] {
  return [
    {
      id: 'name',
      title: 'Certname',
      width: 'minmax(160px, 2fr)',
      narrow: 'first',
      render: ({ name }) => name,
    },
    {
      id: 'names',
      title: 'Alternative names, extensions',
      width: 'minmax(192px, 3fr)',
      narrow: 'detail',
      render: (row) => (
        <span
          className={state === 'requested' && isSpecial(row) ? styles.special : undefined}
          title={namesOf(row).join(', ')}
        >
          {namesOf(row).join(', ')}
        </span>
      ),
    },
    {
      id: 'fingerprint',
      title: 'SHA-256',
      width: 'minmax(80px, 0.5fr)',
      render: ({ fingerprint }) => (
        <code title={fingerprint} className={styles.fingerprint}>
          {fingerprint}
        </code>
      ),
    },
    ...(state === 'requested' ? [from, why] : [until]),
    {
      id: 'actions',
      title: 'Actions',
      width: '140px',
      narrow: 'end',
      isNumeric: true,
      render: (row) => (
        <span className={styles.actions}>
          {actions[row.state].map((action) => (
            <Button
              key={action}
              look="quiet"
              label={`${labels[action]} ${row.name}`}
              onPress={() => choose({ action, row })}
            >
              {labels[action]}
            </Button>
          ))}
        </span>
      ),
    },
  ];
}

const from: Column<CertificateRow> = {
  id: 'from',
  title: 'Requested from',
  width: 'minmax(160px, 1fr)',
  render: ({ origin }) =>
    origin === undefined || origin === null ? (
      'not known'
    ) : (
      <>
        {origin.address ?? 'a file'}, <Age time={origin.received_at} />
      </>
    ),
};

const why: Column<CertificateRow> = {
  id: 'why',
  title: 'Not signed because',
  width: 'minmax(128px, 1fr)',
  render: ({ origin }) => {
    const reason = origin?.reason ?? '';
    return <span title={visibleText(reason)}>{visibleText(waitingReason(reason))}</span>;
  },
};

const until: Column<CertificateRow> = {
  id: 'until',
  title: 'Valid until',
  width: '96px',
  render: ({ not_after: time }) => time?.slice(0, 10) ?? '',
};
