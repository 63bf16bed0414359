/** How much of the compile servers is used, how many are advised and why, and what changed when. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ScaledServer, ScalingStatus } from '../../api/scaling.ts';
import { mayDo, maySeeScaling } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { explainScaling, holdText } from '../../lib/scaling.ts';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { History } from './history.tsx';
import { Limits } from './limits.tsx';
import styles from './page.module.css';
import { PauseQuestion } from './pause-question.tsx';
import { scalingStatus } from './queries.ts';

export function ScalingPage(): ReactElement {
  const session = useSession();
  const maySee = maySeeScaling(session);
  const status = useQuery({ ...scalingStatus(), enabled: maySee });
  useTopic('scaling', maySee);
  return (
    <>
      <PageHeader
        title="Scaling"
        aside={
          <>
            {status.data !== undefined && mayDo(session, 'autoscaler', 'edit') ? (
              <Actions status={status.data} />
            ) : undefined}
            <AsOf query={status} />
          </>
        }
      />
      {!maySee ? (
        <Empty title="You may not see this page">
          It needs the permission <code>autoscaler:view</code>, and a primary with compile servers.
        </Empty>
      ) : status.data !== undefined ? (
        <Scaling status={status.data} />
      ) : (
        <Pending query={status} what="The scaling" />
      )}
    </>
  );
}

function Actions({ status }: { readonly status: ScalingStatus }): ReactElement {
  const [asked, setAsked] = useState<'limits' | 'pause'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button onPress={() => setAsked('limits')}>Change limits</Button>
      <Button onPress={() => setAsked('pause')}>{status.settings.paused ? 'Resume' : 'Pause'}</Button>
      {asked === 'limits' ? <Limits status={status} onClose={close} /> : undefined}
      {asked === 'pause' ? <PauseQuestion isPaused={status.settings.paused} onClose={close} /> : undefined}
    </>
  );
}

function Scaling({ status }: { readonly status: ScalingStatus }): ReactElement {
  return (
    <div className={styles.page}>
      <Figures status={status} />
      <Advice status={status} />
      <section aria-labelledby="servers">
        <h2 id="servers">Compile servers</h2>
        {status.servers.length === 0 ? (
          <p className={styles.hint}>
            Only the primary compiles. <Link to="/servers">Add compile server</Link> on the Servers page
            creates the command that another machine joins with.
          </p>
        ) : (
          <DataTable
            label="Compile servers"
            columns={serverColumns}
            rows={status.servers}
            rowKey={({ certname }) => certname}
          />
        )}
      </section>
      <History status={status} />
    </div>
  );
}

function Figures({ status: { advice, complete, nodes, numbers, settings } }: Statused): ReactElement {
  return (
    <FactList
      facts={[
        {
          name: 'Capacity used',
          value: complete
            ? `${Math.round(numbers.capacity_used)} % (target ${Math.round(settings.target * 100)} %)`
            : 'not known yet',
        },
        {
          name: 'Workers',
          value: `${numbers.serving_workers} in service, ${numbers.need_workers.toFixed(1)} needed`,
        },
        {
          name: 'Servers',
          value: `${advice.servers} in service, ${advice.advised} advised`,
        },
        { name: 'Limits', value: `${settings.min} to ${settings.max} servers` },
        {
          name: 'Nodes',
          value: `${nodes.known.toLocaleString('en')} known, ${nodes.waiting.toLocaleString('en')} told to retry later`,
        },
      ]}
    />
  );
}

interface Statused {
  readonly status: ScalingStatus;
}

function Advice({ status }: Statused): ReactElement {
  const { advice, settings } = status;
  // The sentence above it says so already.
  const holds = advice.holds.filter(({ kind }) => kind !== 'paused');
  return (
    <section aria-labelledby="advice">
      <h2 id="advice">Advice</h2>
      <p className={styles.advice}>{adviceText(status)}</p>
      <p className={styles.hint}>{driverText(status.driver)}</p>
      {settings.paused ? (
        <p className={styles.warning}>
          Scaling is paused: the advised number does not change until a user resumes it.
        </p>
      ) : undefined}
      {holds.length === 0 ? undefined : (
        <ul className={styles.list} aria-label="What holds the number">
          {holds.map(({ kind, until }) => (
            <li key={kind}>
              The number stays for now: {holdText(kind)}
              {until === null ? '' : `, until ${exactTime(new Date(until))}`}.
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.list} aria-label="Where the need comes from">
        {explainScaling(status).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function driverText({ counted_by: countedBy, name }: ScalingStatus['driver']): string {
  if (countedBy === 'people') return 'Follow the advice by hand: no driver starts or ends servers.';
  const driver = `The driver ${visibleText(name)}`;
  return countedBy === 'platform'
    ? `${driver} lets its platform scale by this number.`
    : `${driver} starts and ends servers by this number.`;
}

function adviceText({ advice, settings }: ScalingStatus): string {
  const difference = advice.advised - advice.servers;
  if (difference === 0) return 'The advised number of compile servers is in service.';
  const count = Math.abs(difference);
  const servers = `${count} compile ${count === 1 ? 'server' : 'servers'}`;
  const why = advice.advised === settings.min ? ` (the minimum is ${settings.min})` : '';
  return difference > 0 ? `Add ${servers}${why}.` : `Remove ${servers}: drain them first.`;
}

const serverColumns: readonly Column<ScaledServer>[] = [
  {
    id: 'server',
    title: 'Server',
    width: 'minmax(160px, 2fr)',
    narrow: 'first',
    render: ({ certname }) => (
      <Link to="/servers/$certname" params={{ certname }}>
        {visibleText(certname)}
      </Link>
    ),
  },
  {
    id: 'phase',
    title: 'Phase',
    width: 'minmax(96px, 1fr)',
    narrow: 'detail',
    render: ({ phase }) => phase,
  },
  {
    id: 'workers',
    title: 'Workers',
    width: '80px',
    isNumeric: true,
    render: ({ workers }) => workers,
  },
  {
    id: 'used',
    title: 'Used',
    width: '80px',
    narrow: 'end',
    isNumeric: true,
    render: ({ used }) => `${Math.round(used * 100)} %`,
  },
];
