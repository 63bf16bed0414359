/** How a machine becomes an agent: one line, with the address of the pool and the digest of the CA's certificates. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type CertificateRow, readCertificates } from '../../api/certificates.ts';
import { type AgentInstallation, type InstallationOrder, readInstallation } from '../../api/installation.ts';
import { queryNodes } from '../../api/nodes.ts';
import { mayDo } from '../../api/session.ts';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

const route = getRouteApi('/install');
const shownRequests = 20;

function installation(order: InstallationOrder): UseQueryOptions<AgentInstallation> {
  return {
    queryKey: ['classifier', 'installation', order],
    placeholderData: (previous) => previous,
    retry: false,
    queryFn: ({ signal }) => readInstallation(order, signal),
  };
}

function waiting(isEnabled: boolean): UseQueryOptions<readonly CertificateRow[]> {
  return {
    queryKey: ['ca', 'under-way'],
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      readCertificates({ state: 'requested', q: '', limit: shownRequests, after: undefined }, signal),
  };
}

/** They have sent facts, and no report yet. */
function unreportedNodes(isEnabled: boolean): UseQueryOptions<readonly string[]> {
  return {
    queryKey: ['console', 'nodes', 'under-way'],
    enabled: isEnabled,
    async queryFn({ signal }) {
      const { rows } = await queryNodes({ q: 'status:unreported', limit: shownRequests }, signal);
      return rows.map(({ certname }) => certname);
    },
  };
}

export function InstallPage(): ReactElement {
  const { code: environment, extensions, names } = route.useSearch();
  const found = useQuery(installation({ environment, extensions, alt_names: names }));
  useTopic('groups', mayDo(useSession(), 'node_groups', 'view'));
  return (
    <>
      <PageHeader title="Install agents" />
      <div className={styles.page}>
        <Choices />
        {found.error === null ? undefined : (
          <Failure title="The command can’t be created" error={found.error} />
        )}
        {found.data === undefined ? (
          found.isError ? undefined : (
            <LoadingRows label="The command is loading" rows={2} />
          )
        ) : (
          <Lines found={found.data} />
        )}
        <UnderWay />
      </div>
    </>
  );
}

/** What the new agents are asked to be. */
function Choices(): ReactElement {
  return (
    <section aria-label="Choices" className={styles.choices}>
      <Choice name="code" label="Environment" placeholder="production" />
      <Choice
        name="names"
        label="Alternative names"
        placeholder="puppet.example.com, compile.example.com"
        hint="For servers behind a load balancer. Requests with alternative names must be accepted one by one."
      />
      <Choice
        name="extensions"
        label="Extensions"
        placeholder="pp_role=web, pp_environment=production"
        hint="They become part of the certificate, so a node can’t claim other values later."
      />
    </section>
  );
}

interface ChoiceProps {
  /** Of the part of the address. */
  readonly name: 'code' | 'names' | 'extensions';
  readonly label: string;
  readonly placeholder: string;
  readonly hint?: string;
}

/** The address has the text without spaces around it; the field has it as it is typed. */
function Choice({ name, ...field }: ChoiceProps): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(search[name] ?? '');
  const change = (text: string) => {
    setTyped(text);
    const otherwise = name === 'code' ? 'production' : undefined;
    void navigate({ search: (before) => ({ ...before, [name]: text.trim() || otherwise }), replace: true });
  };
  return <TextField value={typed} onChange={change} {...field} />;
}

function Lines({ found }: { readonly found: AgentInstallation }): ReactElement {
  return (
    <>
      <section aria-labelledby="line">
        <h2 id="line">Run this as root on the node</h2>
        <pre className={styles.line}>{visibleText(found.line)}</pre>
        <div>
          <CopyButton label="Copy" isLabelled text={found.line} />
        </div>
        <FactList
          facts={[
            { name: 'Agents connect to', value: `${found.server}:${found.port}` },
            { name: 'SHA-256 of the CA’s certificates', value: found.ca_digest, isCode: true },
          ]}
        />
        <p className={styles.hint}>
          The command accepts only a server whose CA certificates have this digest. The address comes from the
          group PE Master (class <code>pe_repo</code>, parameter <code>compile_master_pool_address</code>);
          the default is this primary.
        </p>
      </section>
      <details>
        <summary>Command from older guides</summary>
        <p className={styles.warning}>
          It does not verify the server: an attacker on the network could run any command as root. Use it only
          on networks that you trust.
        </p>
        <pre className={styles.line}>{visibleText(found.unverified_line)}</pre>
        <div>
          <CopyButton label="Copy the unverified command" isLabelled text={found.unverified_line} />
        </div>
      </details>
    </>
  );
}

function UnderWay(): ReactElement | undefined {
  const session = useSession();
  const maySee = mayDo(session, 'cert_requests', 'accept_reject');
  const maySeeNodes = mayDo(session, 'nodes', 'view_data');
  const { data } = useQuery(waiting(maySee));
  const { data: unreported = [] } = useQuery(unreportedNodes(maySeeNodes));
  useTopic('certificates', maySee);
  useTopic('nodes', maySeeNodes);
  if (!maySee) return undefined;
  return (
    <section aria-labelledby="under-way">
      <h2 id="under-way">Under way</h2>
      {data === undefined || data.length === 0 ? (
        <p className={styles.hint}>No certificate requests. New requests appear here without a reload.</p>
      ) : (
        <ul className={styles.requests}>
          {data.map(({ name }) => (
            <li key={name}>
              {visibleText(name)}:{' '}
              <Link to="/certificates" search={{ q: name }}>
                certificate request
              </Link>
            </li>
          ))}
        </ul>
      )}
      {unreported.length === 0 ? undefined : (
        <ul className={styles.requests} aria-label="Before their first report">
          {unreported.map((name) => (
            <li key={name}>
              <Link to="/nodes/$certname" params={{ certname: name }}>
                {visibleText(name)}
              </Link>{' '}
              has its certificate and has not reported yet
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
