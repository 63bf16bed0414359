/** The events of a run: failures first, then what was changed, then what would have been. */

import { useQuery } from '@tanstack/react-query';
import { CircleDashed, CircleX, type LucideIcon, Pencil, RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import type { EventRow } from '../../api/puppetdb.ts';
import { WhyChange } from '../../features/why-change.tsx';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { reportEvents } from './queries.ts';

interface Outcome {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

/** In the order in which they are shown. */
const outcomes: Readonly<Record<string, Outcome>> = {
  failure: { title: 'Failed', icon: CircleX, colour: 'var(--failed)' },
  success: { title: 'Changed', icon: Pencil, colour: 'var(--intentional)' },
  noop: { title: 'Would change', icon: Pencil, colour: 'var(--noop)' },
  skipped: { title: 'Skipped', icon: CircleDashed, colour: 'var(--muted)' },
};
const order = Object.keys(outcomes);

export function Changes({ hash }: { readonly hash: string }): ReactElement {
  const events = useQuery(reportEvents(hash));
  if (events.data === undefined) return <Pending query={events} what="The changes" />;
  if (events.data.length === 0)
    return (
      <Empty title="The run found every resource as it should be">
        It changed nothing, and no resource failed. What else happened is in the log.
      </Empty>
    );
  const sorted = events.data.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <ol className={styles.events}>
      {sorted.map((event, index) => (
        <Event key={index} event={event} hash={hash} />
      ))}
    </ol>
  );
}

function Event({ event, hash }: { readonly event: EventRow; readonly hash: string }): ReactElement {
  const { containment_path, file, line, message, property, resource_title, resource_type } = event;
  const isCorrective = event.status === 'success' && event.corrective_change === true;
  const outcome = isCorrective
    ? { title: 'Corrected', icon: RotateCcw, colour: 'var(--corrective)' }
    : (outcomes[event.status] ?? { title: event.status, icon: CircleDashed, colour: 'var(--muted)' });
  const { colour, icon: Icon, title } = outcome;
  return (
    <li className={styles.event}>
      <div className={styles.eventHead}>
        <span className={styles.outcome} style={{ color: colour }}>
          <Icon size={16} aria-hidden />
          {title}
        </span>
        <span className={styles.resource}>
          {visibleText(`${resource_type}[${resource_title}]`)}
          {property === null ? '' : ` ${property}`}
        </span>
        {event.status === 'skipped' ? undefined : (
          <WhyChange
            question={{ report: hash, type: resource_type, title: resource_title }}
            label={visibleText(`${resource_type}[${resource_title}]`)}
          />
        )}
      </div>
      {message === null || message === '' ? undefined : (
        <p className={styles.message}>{visibleText(message)}</p>
      )}
      <Values event={event} />
      <p className={styles.place}>
        {file === null ? '' : `${visibleText(file)}${line === null ? '' : `:${line}`} · `}
        {(containment_path ?? []).slice(0, -1).map(visibleText).join(' › ')}
      </p>
    </li>
  );
}

function Values({ event }: { readonly event: EventRow }): ReactElement | undefined {
  const { new_value, old_value, status } = event;
  if (old_value === null && new_value === null) return undefined;
  return (
    <dl className={styles.values}>
      <dt>{status === 'success' ? 'was' : 'is'}</dt>
      <dd>{valueText(old_value)}</dd>
      <dt>{status === 'success' ? 'is' : 'should be'}</dt>
      <dd>{valueText(new_value)}</dd>
    </dl>
  );
}
