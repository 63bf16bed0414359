/** Environments: which version is deployed, which servers serve it, what is under way. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { CodeStatus, DeployedEnvironment, FailedDeploy } from '../../api/code.ts';
import { AsOf } from '../../features/as-of.tsx';
import { CodeOnly } from '../../features/code-only.tsx';
import { codeStatus, deployState } from '../../features/code-queries.ts';
import { DeployDialog } from '../../features/deploy-dialog.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { ServerSquares } from '../../features/server-squares.tsx';
import { useSession } from '../../features/session.ts';
import { serversOf } from '../../lib/convergence.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';

export function CodePage(): ReactElement {
  const hasCode = useSession().features.includes('code');
  return (
    <>
      {hasCode ? undefined : <PageHeader title="Code" />}
      <CodeOnly>
        <Environments />
      </CodeOnly>
    </>
  );
}

function Environments(): ReactElement {
  const status = useQuery(codeStatus());
  const [isDeploying, setDeploying] = useState(false);
  useTopic('code');
  return (
    <>
      <PageHeader
        title="Code"
        aside={
          <>
            <Button onPress={() => setDeploying(true)}>Deploy</Button>
            <AsOf query={status} />
          </>
        }
      />
      {status.data !== undefined ? <List status={status.data} /> : <Pending query={status} what="The code" />}
      {isDeploying ? <DeployDialog onClose={() => setDeploying(false)} /> : undefined}
    </>
  );
}

function List({ status }: { readonly status: CodeStatus }): ReactElement {
  const { deployed } = status['file-sync-storage-status'];
  const { deploying, failed, new: waiting, queued } = status['deploys-status'];
  const known = new Set(deployed.map(({ environment }) => environment));
  const coming = [...deploying, ...queued, ...waiting].filter(({ environment }) => !known.has(environment));
  return (
    <div className={styles.page}>
      {failed.map((each) => (
        <FailedNote key={each.environment} deploy={each} />
      ))}
      {coming.length === 0 ? undefined : (
        <p className={styles.coming}>
          Being deployed for the first time:{' '}
          {coming.map(({ environment }) => visibleText(environment)).join(', ')}
        </p>
      )}
      {deployed.length === 0 ? (
        <Empty title="No environments yet">
          Press <strong>Deploy</strong>, or push to a control repository with a webhook.
        </Empty>
      ) : (
        <DataTable
          label="Environments"
          columns={columnsWith(status)}
          rows={deployed}
          rowKey={({ environment }) => environment}
        />
      )}
    </div>
  );
}

function FailedNote({ deploy }: { readonly deploy: FailedDeploy }): ReactElement {
  return (
    <details className={styles.failed}>
      <summary>
        The last deploy of {visibleText(deploy.environment)} failed <Age time={deploy['queued-at']} />
      </summary>
      <pre>{visibleText(deploy.error.msg)}</pre>
    </details>
  );
}

function columnsWith(status: CodeStatus): readonly Column<DeployedEnvironment>[] {
  const clients = status['file-sync-client-status']['file-sync-clients'];
  return [
    {
      id: 'environment',
      title: 'Environment',
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      render: ({ environment }) => (
        <Link to="/code/$environment" params={{ environment }}>
          {visibleText(environment)}
        </Link>
      ),
    },
    {
      id: 'version',
      title: 'Version',
      width: '128px',
      render: (row) => <code title={row['deploy-signature']}>{row['deploy-signature'].slice(0, 12)}</code>,
    },
    {
      id: 'servers',
      title: 'Served by',
      width: 'minmax(160px, 1fr)',
      narrow: 'detail',
      render: (row) => <ServerSquares servers={serversOf(row, clients)} />,
    },
    {
      id: 'state',
      title: 'State',
      width: '112px',
      render: ({ environment }) => {
        const state = deployState(status, environment);
        return <span className={state === 'Failed' ? styles.bad : styles.busy}>{state}</span>;
      },
    },
    {
      id: 'deployed',
      title: 'Deployed',
      width: '112px',
      narrow: 'end',
      isNumeric: true,
      render: ({ date }) => <Age time={date} otherwise="unknown" />,
    },
  ];
}
