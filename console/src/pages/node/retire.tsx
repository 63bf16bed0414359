/** Retires a node: revokes and cleans its certificate, deactivates it and removes its pins, each of them if wanted. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { cleanCertificate } from '../../api/certificates.ts';
import { unpinFromAll } from '../../api/classifier.ts';
import { deactivateNode, type NodeRow } from '../../api/puppetdb.ts';
import { mayDo, type Session } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { useChange } from '../../features/use-change.ts';
import { pinsOf } from '../../lib/group-rule.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';
import { allGroups, certificatesOf } from './queries.ts';

interface RetireProps {
  readonly node: NodeRow;
}

const mayClean = (session: Session) => mayDo(session, 'certificates', 'revoke');
const mayDeactivate = (session: Session) => mayDo(session, 'nodes', 'edit_data');
const maySeeGroups = (session: Session) =>
  session.features.includes('classifier') && mayDo(session, 'node_groups', 'view');

/** Hidden for retired nodes and from users without any of the permissions. */
export function RetireButton({ node }: RetireProps): ReactElement | undefined {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  if (node.deactivated !== null || !(mayClean(session) || mayDeactivate(session))) return undefined;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Retire node</Button>
      {isOpen ? <Question node={node} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

interface Step {
  readonly id: 'unpin' | 'clean' | 'deactivate';
  readonly text: string;
  readonly work: () => Promise<void>;
}

function Question({ node, onClose }: RetireProps & { readonly onClose: () => void }): ReactElement {
  const queries = useQueryClient();
  const steps = useSteps(node);
  const [left, setLeft] = useState<readonly Step['id'][]>([]);
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState<readonly Step['id'][]>([]);
  const { failure, isBusy, run } = useChange('pdb', 'node', node.certname);
  const chosen = steps.filter(({ id }) => !left.includes(id));
  const retire = async () => {
    const ended = await run(async () => {
      for (const { id, work } of chosen.filter((step) => !done.includes(step.id))) {
        await work();
        setDone((before) => [...before, id]);
      }
    });
    for (const queryKey of [['classifier'], ['ca'], ['activity', 'list']])
      void queries.invalidateQueries({ queryKey });
    if (ended) onClose();
  };
  return (
    <Dialog
      title="Retire node"
      action="Retire"
      isDisabled={isBusy || chosen.length === 0 || typed !== node.certname}
      failure={failure}
      failureTitle="Not all steps were completed"
      onAct={() => void retire()}
      onClose={onClose}
    >
      <p>
        <strong>{visibleText(node.certname)}</strong>
      </p>
      {steps.map(({ id, text }) => (
        <CheckField
          key={id}
          label={done.includes(id) ? `${text}: done` : text}
          isChecked={!left.includes(id)}
          onChange={(isChosen) =>
            setLeft((before) => (isChosen ? before.filter((each) => each !== id) : [...before, id]))
          }
        />
      ))}
      <p className={styles.hint}>
        Its reports are kept as long as those of other nodes. Without a certificate, the node can’t run again.
        A node that is only deactivated becomes active again with its next run.
      </p>
      <TextField label="Type the certname" value={typed} onChange={setTyped} />
    </Dialog>
  );
}

/** The steps of retiring this node, and whether this user may take each. */
function useSteps(node: NodeRow): readonly Step[] {
  const { certname } = node;
  const session = useSession();
  const { data: groups } = useQuery({ ...allGroups(), enabled: maySeeGroups(session) });
  const { data: certificates } = useQuery({ ...certificatesOf(certname), enabled: mayClean(session) });
  const pinning = Array.from(groups?.values() ?? []).filter(({ rule }) => pinsOf(rule).includes(certname));
  const hasCertificate = certificates?.some(({ state }) => state !== 'requested') === true;
  const steps: readonly (Step & { readonly isOffered: boolean })[] = [
    {
      id: 'unpin',
      text: `Unpin from ${pinning.length === 1 ? '1 group' : `${pinning.length} groups`}: ${pinning.map(({ name }) => visibleText(name)).join(', ')}`,
      work: () => unpinFromAll(certname),
      isOffered: pinning.length > 0,
    },
    {
      id: 'clean',
      text: 'Revoke and clean the certificate, which also deactivates the node',
      work: () => cleanCertificate(certname),
      isOffered: hasCertificate,
    },
    {
      id: 'deactivate',
      text: 'Deactivate: hide the node from lists and queries',
      work: () => deactivateNode(certname, timeAfter(node)),
      isOffered: mayDeactivate(session),
    },
  ];
  return steps.filter(({ isOffered }) => isOffered);
}

/** PuppetDB keeps a node that has sent something later than this: the clock of the browser may be behind. */
function timeAfter({ catalog_timestamp, facts_timestamp, report_timestamp }: NodeRow): string {
  const sent = [catalog_timestamp, facts_timestamp, report_timestamp].flatMap((time) =>
    time === null ? [] : [Date.parse(time) + 1],
  );
  return new Date(Math.max(Date.now(), ...sent)).toISOString();
}
