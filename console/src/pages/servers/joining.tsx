/** What others join with: tokens that count, and requests with rights that wait for a decision. */

import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type CertificateRow, readCertificates } from '../../api/certificates.ts';
import { deleteJoinToken, type JoinTokenRow, readJoinTokens } from '../../api/servers.ts';
import { mayDo } from '../../api/session.ts';
import { useTopic } from '../../features/live.ts';
import { useSession } from '../../features/session.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './page.module.css';

const mostRequests = 500;

const tokensQuery: UseQueryOptions<readonly JoinTokenRow[]> = {
  queryKey: ['infrastructure', 'tokens'],
  queryFn: ({ signal }) => readJoinTokens(signal),
};

/** Requests of servers: they ask for rights that nodes do not have. */
function requestsQuery(isEnabled: boolean): UseQueryOptions<readonly CertificateRow[]> {
  return {
    queryKey: ['ca', 'requests-to-join'],
    enabled: isEnabled,
    async queryFn({ signal }) {
      const page = { state: 'requested', q: '', limit: mostRequests, after: undefined } as const;
      const rows = await readCertificates(page, signal);
      return rows.filter((row) => Object.keys(row.authorization_extensions).length > 0);
    },
  };
}

export function Joining(): ReactElement {
  const session = useSession();
  const tokens = useQuery(tokensQuery);
  const maySign = mayDo(session, 'cert_requests', 'accept_reject');
  const { data: requests = [] } = useQuery(requestsQuery(maySign));
  useTopic('certificates', maySign);
  const [chosen, setChosen] = useState<JoinTokenRow>();
  return (
    <section aria-labelledby="joining" className={styles.joining}>
      <h2 id="joining">Joining</h2>
      {requests.length === 0 ? (
        <p className={styles.hint}>No requests to join.</p>
      ) : (
        <ul className={styles.list}>
          {requests.map(({ name }) => (
            <li key={name}>
              {visibleText(name)} asks to join:{' '}
              <Link to="/certificates" search={{ q: name }}>
                certificate request
              </Link>
            </li>
          ))}
        </ul>
      )}
      {tokens.isError ? (
        <Failure
          title="The tokens can’t be shown"
          error={tokens.error}
          onRetry={() => void tokens.refetch()}
        />
      ) : undefined}
      {tokens.data === undefined || tokens.data.length === 0 ? undefined : (
        <ul className={styles.list} aria-label="Tokens to join with">
          {tokens.data.map((token) => (
            <li key={token.id} className={styles.token}>
              <span>
                Token <code>{token.id}</code> for {token.certnames.map(visibleText).join(', ')}, by{' '}
                {visibleText(token.created_by)}, ends <Age time={token.expires_at} />
                {token.uses_left === null
                  ? ''
                  : `, for ${token.uses_left} more ${token.uses_left === 1 ? 'server' : 'servers'}`}
              </span>
              <Button look="quiet" label={`Delete the token ${token.id}`} onPress={() => setChosen(token)}>
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen === undefined ? undefined : <Deletion token={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

interface DeletionProps {
  readonly token: JoinTokenRow;
  readonly onClose: () => void;
}

function Deletion({ onClose, token }: DeletionProps): ReactElement {
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const remove = async () => {
    try {
      await deleteJoinToken(token.id);
      await queries.invalidateQueries({ queryKey: ['infrastructure'] });
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      title={`Delete the token ${token.id}`}
      action="Delete"
      failure={failure}
      onAct={() => void remove()}
      onClose={onClose}
    >
      <p>No more servers can join with it. Servers that have joined stay.</p>
    </Dialog>
  );
}
