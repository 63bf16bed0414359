/** The last runs as bars, and what the last one failed at and changed. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { EventRow, NodeRow, ReportRow } from '../../api/puppetdb.ts';
import { statusOfReport } from '../../features/report-queries.ts';
import { statusColour } from '../../features/status.tsx';
import { statusWords } from '../../lib/run-status.ts';
import { durationText, shortTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { eventsOf, lastReports } from './queries.ts';

export function Summary({ node }: { readonly node: NodeRow }): ReactElement {
  return (
    <div className={styles.sections}>
      <Notes node={node} />
      {/* PuppetDB leaves out the runs of nodes that are retired. */}
      {node.deactivated === null ? (
        <section aria-labelledby="runs">
          <h2 id="runs">Last runs</h2>
          <Runs certname={node.certname} />
        </section>
      ) : undefined}
      {node.latest_report_hash === null ? undefined : <LastEvents hash={node.latest_report_hash} />}
    </div>
  );
}

/** Facts that are so much older than the report were not sent with it. */
const oldFactsMs = 3_600_000;

function Notes({ node }: { readonly node: NodeRow }): ReactElement | undefined {
  const { cached_catalog_status: cached, facts_timestamp: facts, report_timestamp: reported } = node;
  const notes: string[] = [];
  if (cached === 'on_failure')
    notes.push(
      'The last run used the agent’s cached catalog because the server could not compile a new one.',
    );
  if (cached === 'explicitly_requested')
    notes.push('The last run used the agent’s cached catalog, as requested.');
  if (facts !== null && reported !== null && Date.parse(reported) - Date.parse(facts) > oldFactsMs)
    notes.push('The stored facts are older than the last run.');
  if (notes.length === 0) return undefined;
  return (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={note} className={styles.note}>
          {note}
        </li>
      ))}
    </ul>
  );
}

function Runs({ certname }: { readonly certname: string }): ReactElement {
  const reports = useQuery(lastReports(certname));
  if (reports.data === undefined) return <Pending query={reports} what="The runs" rows={2} />;
  if (reports.data.length === 0)
    return <Empty title="No reports yet">The agent sends a report after each run.</Empty>;
  const longest = Math.max(...reports.data.map(secondsOf), 0.001);
  return (
    <>
      <ol className={styles.bars}>
        {reports.data.toReversed().map((report) => (
          <li key={report.hash}>
            <RunBar report={report} share={secondsOf(report) / longest} />
          </li>
        ))}
      </ol>
      <p className={styles.axis}>
        {reports.data.length === 1 ? 'One run' : `${reports.data.length} runs, the latest on the right`}; the
        longest took {durationText(longest)}
      </p>
    </>
  );
}

function secondsOf({ end_time, start_time }: ReportRow): number {
  return (Date.parse(end_time) - Date.parse(start_time)) / 1000;
}

function RunBar({ report, share }: { readonly report: ReportRow; readonly share: number }): ReactElement {
  const status = statusOfReport(report);
  const words = `${statusWords[status]}, ${shortTime(new Date(report.end_time))}, ${durationText(secondsOf(report))}`;
  return (
    <Link
      to="/reports/$hash"
      params={{ hash: report.hash }}
      aria-label={words}
      title={words}
      className={styles.bar}
    >
      <span style={{ height: `${Math.max(12, share * 100)}%`, background: statusColour(status) }} />
    </Link>
  );
}

function LastEvents({ hash }: { readonly hash: string }): ReactElement {
  const events = useQuery(eventsOf(hash));
  if (events.data === undefined) return <Pending query={events} what="The changes" rows={3} />;
  const failures = events.data.filter(({ status }) => status === 'failure');
  const changes = events.data.filter(({ status }) => status === 'success' || status === 'noop');
  return (
    <>
      <EventSection title="Failures in the last run" none="No failures." events={failures} hash={hash} />
      <EventSection title="Changes in the last run" none="No changes." events={changes} hash={hash} />
    </>
  );
}

const shownEvents = 10;

interface EventSectionProps {
  readonly title: string;
  readonly none: string;
  readonly events: readonly EventRow[];
  readonly hash: string;
}

function EventSection({ events, hash, none, title }: EventSectionProps): ReactElement {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {events.length === 0 ? <p className={styles.none}>{none}</p> : undefined}
      <ul className={styles.rows}>
        {events.slice(0, shownEvents).map((event, index) => (
          <li key={index} className={styles.eventRow}>
            <code>{visibleText(`${event.resource_type}[${event.resource_title}]`)}</code>
            <span className={styles.message}>{visibleText(event.message ?? event.property ?? '')}</span>
          </li>
        ))}
      </ul>
      {events.length > shownEvents ? (
        <Link to="/reports/$hash" params={{ hash }}>
          All {events.length}
        </Link>
      ) : undefined}
    </section>
  );
}
