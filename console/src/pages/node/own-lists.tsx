/** Packages, changes and certificates of the node that is shown. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ActivityChange } from '../../api/activity.ts';
import type { CertificateRow } from '../../api/certificates.ts';
import type { PackageRow } from '../../api/puppetdb.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { certificatesOf, changesOf, packagesOf } from './queries.ts';

interface OwnProps {
  readonly certname: string;
}

const packageColumns: readonly Column<PackageRow>[] = [
  {
    id: 'name',
    title: 'Package',
    width: 'minmax(160px, 2fr)',
    narrow: 'first',
    render: ({ package_name: name }) => (
      <Link to="/packages" search={{ package: name }}>
        {visibleText(name)}
      </Link>
    ),
  },
  {
    id: 'version',
    title: 'Version',
    width: 'minmax(140px, 2fr)',
    narrow: 'detail',
    render: ({ version }) => visibleText(version),
  },
  { id: 'provider', title: 'Provider', width: '96px', narrow: 'end', render: ({ provider }) => provider },
];

export function Packages({ certname }: OwnProps): ReactElement {
  const packages = useQuery(packagesOf(certname));
  if (packages.data === undefined) return <Pending query={packages} what="The packages" />;
  if (packages.data.length === 0)
    return (
      <Empty title="No package inventory">
        Agents send it in the fact <code>_puppet_inventory_1</code>.
      </Empty>
    );
  return (
    <div className={styles.list}>
      <div className={styles.toolbar}>
        <Link to="/compare" search={{ kind: 'packages', left: certname }}>
          Compare with
        </Link>
      </div>
      <DataTable
        label="Packages of the node"
        columns={packageColumns}
        rows={packages.data}
        rowKey={({ package_name: name, provider, version }) => `${name}\0${version}\0${provider}`}
      />
    </div>
  );
}

const changeColumns: readonly Column<ActivityChange>[] = [
  {
    id: 'change',
    title: 'Change',
    width: 'minmax(200px, 4fr)',
    narrow: 'first',
    render: ({ events, id }) => (
      <Link to="/activity/$id" params={{ id: String(id) }}>
        {visibleText(events[0]?.message ?? '')}
      </Link>
    ),
  },
  {
    id: 'by',
    title: 'By',
    width: 'minmax(96px, 1fr)',
    narrow: 'detail',
    render: ({ by }) => visibleText(by.name),
  },
  {
    id: 'time',
    title: 'When',
    width: '96px',
    narrow: 'end',
    isNumeric: true,
    render: ({ time }) => <Age time={time} />,
  },
];

export function Activity({ certname }: OwnProps): ReactElement {
  const changes = useQuery(changesOf(certname));
  if (changes.data === undefined) return <Pending query={changes} what="The changes" />;
  if (changes.data.length === 0)
    return (
      <Empty title="No recorded changes">
        Changes of the certificate and retirement are listed here. Jobs are under <Link to="/jobs">Jobs</Link>
        , changes of node groups under <Link to="/activity">Activity</Link>.
      </Empty>
    );
  return (
    <DataTable
      label="Changes of the node"
      columns={changeColumns}
      rows={changes.data}
      rowKey={({ id }) => String(id)}
    />
  );
}

const stateTitles = { requested: 'Request', signed: 'Certificate', revoked: 'Revoked certificate' } as const;

export function Certificate({ certname }: OwnProps): ReactElement {
  const certificates = useQuery(certificatesOf(certname));
  if (certificates.data === undefined)
    return <Pending query={certificates} what="The certificate" rows={3} />;
  if (certificates.data.length === 0)
    return (
      <Empty title="No certificate of this name">
        The agent requests one at its first run, and again after its certificate was cleaned.
      </Empty>
    );
  return (
    <div className={styles.sections}>
      {certificates.data.map((row) => (
        <OneCertificate key={`${row.state}${row.fingerprint}`} row={row} />
      ))}
    </div>
  );
}

function OneCertificate({ row }: { readonly row: CertificateRow }): ReactElement {
  const { authorization_extensions: extensions, fingerprint, name, not_after: end, state } = row;
  const names = row.subject_alt_names.map(visibleText).join(', ');
  return (
    <section aria-label={stateTitles[state]} className={styles.certificate}>
      <h2>{stateTitles[state]}</h2>
      <FactList
        facts={[
          ...(end === undefined ? [] : [{ name: 'Valid until', value: <Age time={isoTime(end)} /> }]),
          { name: 'Alternative names', value: names === '' ? 'none' : names },
          ...Object.entries(extensions).map(([key, value]) => ({
            name: visibleText(key),
            value: visibleText(value),
          })),
          { name: 'SHA-256', value: fingerprint, isCode: true },
        ]}
      />
      <Link to="/certificates" search={{ state: state === 'requested' ? undefined : state, q: name }}>
        {state === 'requested'
          ? 'Accept or reject it under Certificates'
          : state === 'signed'
            ? 'Revoke or clean it under Certificates'
            : 'Clean it under Certificates'}
      </Link>
    </section>
  );
}

/** Puppet writes `2031-11-27T14:03:10UTC`. */
function isoTime(time: string): string {
  return time.replace(/UTC$/, 'Z');
}
