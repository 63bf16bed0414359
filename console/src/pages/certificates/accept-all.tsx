/** Accepts all ordinary requests on the page by their fingerprints. Special requests are left for single decisions. */

import { type ReactElement, useState } from 'react';
import { acceptRequest, type CertificateRow } from '../../api/certificates.ts';
import { requestsText } from '../../features/now-queries.ts';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isSpecial } from './decision.tsx';
import styles from './page.module.css';

interface AcceptAllProps {
  readonly rows: readonly CertificateRow[];
}

export function AcceptAll({ rows }: AcceptAllProps): ReactElement | undefined {
  const [asked, setAsked] = useState<readonly CertificateRow[]>();
  const ordinary = rows.filter((row) => !isSpecial(row));
  if (ordinary.length === 0 && asked === undefined) return undefined;
  return (
    <div className={styles.all}>
      <Button onPress={() => setAsked(ordinary)}>Accept all</Button>
      {asked === undefined ? undefined : (
        <Question rows={asked} left={rows.length - ordinary.length} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}

interface QuestionProps extends AcceptAllProps {
  /** How many special requests there are beside them. */
  readonly left: number;
  readonly onClose: () => void;
}

function Question({ left, onClose, rows }: QuestionProps): ReactElement {
  const { failure, isBusy, run } = useChange('ca');
  const [done, setDone] = useState<readonly string[]>([]);
  const accept = async () => {
    const ended = await run(async () => {
      for (const row of rows.filter(({ name }) => !done.includes(name))) {
        // With its fingerprint: a request that has taken its place is refused.
        await acceptRequest(row, false);
        setDone((before) => [...before, row.name]);
      }
    });
    if (ended) onClose();
  };
  return (
    <Dialog
      title="Accept all requests"
      action={`Accept ${requestsText(rows.length)}`}
      isDisabled={isBusy}
      failure={failure}
      failureTitle={`Accepted ${done.length} of ${requestsText(rows.length)}`}
      onAct={() => void accept()}
      onClose={onClose}
    >
      <p>These nodes get certificates, and catalogs from their next run on.</p>
      <ul className={styles.requests} aria-label="Requests">
        {rows.map(({ fingerprint, name }) => (
          <li key={name}>
            <strong>{visibleText(name)}</strong> <code>{fingerprint}</code>
          </li>
        ))}
      </ul>
      {left === 0 ? undefined : (
        <p>
          {left === 1 ? '1 request asks' : `${left} requests ask`} for alternative names or additional rights
          and {left === 1 ? 'is' : 'are'} not accepted here: accept such requests one by one.
        </p>
      )}
    </Dialog>
  );
}
