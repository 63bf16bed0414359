/** One environment: which servers serve it, its versions, and the way back to an earlier one. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type CodeStatus, type CodeVersion, readVersions } from '../../api/code.ts';
import { mayDo } from '../../api/session.ts';
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
import { FactList } from '../../ui/fact-list.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DataLookup } from './data-lookup.tsx';
import { Files } from './files.tsx';
import styles from './page.module.css';
import { Preview } from './preview.tsx';
import { RollBack } from './roll-back.tsx';
import { environmentTabs } from './search.ts';

const route = getRouteApi('/code/$environment');

function versions(environment: string): UseQueryOptions<readonly CodeVersion[]> {
  return {
    queryKey: ['code', 'versions', environment],
    queryFn: ({ signal }) => readVersions(environment, signal),
  };
}

export function EnvironmentPage(): ReactElement {
  return (
    <CodeOnly>
      <Environment />
    </CodeOnly>
  );
}

function Environment(): ReactElement {
  const { environment } = route.useParams();
  const session = useSession();
  const status = useQuery(codeStatus());
  const [isDeploying, setDeploying] = useState(false);
  useTopic('code');
  const mayDeploy = mayDo(session, 'environment', 'deploy_code', environment);
  return (
    <>
      <PageHeader
        above={<Link to="/code">Code</Link>}
        title={environment}
        aside={
          <>
            <Button
              isDisabled={!mayDeploy}
              label={mayDeploy ? 'Deploy' : 'Deploy: needs environment:deploy_code for it'}
              onPress={() => setDeploying(true)}
            >
              Deploy
            </Button>
            <AsOf query={status} />
          </>
        }
      />
      <div className={styles.page}>
        {status.data === undefined ? undefined : <State status={status.data} environment={environment} />}
        <Parts environment={environment} mayDeploy={mayDeploy} />
      </div>
      {isDeploying ? (
        <DeployDialog environment={environment} onClose={() => setDeploying(false)} />
      ) : undefined}
    </>
  );
}

interface StateProps {
  readonly status: CodeStatus;
  readonly environment: string;
}

function State({ environment, status }: StateProps): ReactElement | undefined {
  const deployed = status['file-sync-storage-status'].deployed.find(
    (each) => each.environment === environment,
  );
  const failed = status['deploys-status'].failed.find((each) => each.environment === environment);
  const state = deployState(status, environment);
  const servers = deployed && serversOf(deployed, status['file-sync-client-status']['file-sync-clients']);
  return (
    <>
      <FactList
        facts={[
          { name: 'Version', value: deployed?.['deploy-signature'] ?? 'Not deployed', isCode: true },
          {
            name: 'Served by',
            value: servers === undefined ? 'No server' : <ServerSquares servers={servers} />,
          },
          { name: 'Deployed', value: <Age time={deployed?.date} otherwise="never" /> },
          ...(state === undefined ? [] : [{ name: 'State', value: state }]),
          {
            name: 'Deployed by',
            value: (
              <Link to="/activity" search={{ object: `environments:${environment}` }}>
                See Activity
              </Link>
            ),
          },
        ]}
      />
      {failed === undefined ? undefined : (
        <pre className={styles.failed}>{visibleText(failed.error.msg)}</pre>
      )}
      {servers === undefined || servers.length < 2 ? undefined : (
        <ul className={styles.servers} aria-label="Servers">
          {servers.map(({ certname, commit, isCurrent }) => (
            <li key={certname}>
              <Link to="/servers/$certname" params={{ certname }}>
                {visibleText(certname)}
              </Link>{' '}
              <code>{commit?.slice(0, 12) ?? 'not deployed'}</code>{' '}
              {isCurrent ? undefined : <span className={styles.behind}>behind</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Parts({ environment, mayDeploy }: VersionsProps): ReactElement {
  const { tab = 'versions' } = route.useSearch();
  const navigate = route.useNavigate();
  const select = (id: string) => {
    const chosen = environmentTabs.find((each) => each === id);
    void navigate({ search: { tab: chosen === 'versions' ? undefined : chosen } });
  };
  return (
    <Tabs
      label="Parts of the environment"
      selected={tab}
      onSelect={select}
      tabs={[
        {
          id: 'versions',
          title: 'Versions',
          render: () => <Versions environment={environment} mayDeploy={mayDeploy} />,
        },
        { id: 'files', title: 'Files', render: () => <Files environment={environment} /> },
        { id: 'preview', title: 'Preview', render: () => <Preview environment={environment} /> },
        { id: 'lookup', title: 'Data lookup', render: () => <DataLookup environment={environment} /> },
      ]}
    />
  );
}

interface VersionsProps {
  readonly environment: string;
  readonly mayDeploy: boolean;
}

function Versions({ environment, mayDeploy }: VersionsProps): ReactElement {
  const found = useQuery(versions(environment));
  const [chosen, setChosen] = useState<CodeVersion>();
  if (found.data === undefined)
    return found.isError ? (
      isUnknown(found.error) ? (
        <Empty title="No versions of this environment">It is not deployed, or was removed.</Empty>
      ) : (
        <Failure
          title="The versions can’t be shown"
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )
    ) : (
      <LoadingRows label="The versions are loading" rows={4} />
    );
  const served = found.data.find((each) => each['is-current'])?.['deploy-signature'];
  return (
    <section aria-label="Versions">
      <ul className={styles.versions}>
        {found.data.map((version) => (
          <li key={version.commit}>
            <code title={version.commit}>{(version['deploy-signature'] ?? version.commit).slice(0, 12)}</code>
            <Age time={version.date} />
            <Link
              from="/code/$environment"
              to="/code/$environment"
              search={{ tab: 'files', commit: version.commit }}
              className={styles.link}
            >
              Files
            </Link>
            {version['is-current'] ? (
              <span className={styles.current}>in use</span>
            ) : version['deploy-signature'] !== null && version['deploy-signature'] === served ? (
              <span className={styles.same}>same code</span>
            ) : mayDeploy ? (
              <Button
                label={`Roll back to ${(version['deploy-signature'] ?? version.commit).slice(0, 12)}`}
                onPress={() => setChosen(version)}
              >
                Roll back
              </Button>
            ) : undefined}
          </li>
        ))}
      </ul>
      {chosen === undefined ? undefined : (
        <RollBack environment={environment} version={chosen} onClose={() => setChosen(undefined)} />
      )}
    </section>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}
