/**
 * Why a run changed a resource, or failed on it: what differs between the run and the one before in code, data, groups and facts,
 * and whether the resource had drifted. What a catalog was compiled from is not recorded for each resource, so causes have degrees.
 */

import { ServiceError } from '../../../lib/service-error.ts';
import type { ChangeCause, WhyAnswer } from '../wire.ts';
import { codeCauses } from './code-causes.ts';
import { factsInRules } from './facts-in-rules.ts';
import {
  changedAlone,
  type EventOfRun,
  lastEventBefore,
  type RunRow,
  readEvents,
  readRun,
  runBefore,
} from './runs.ts';
import type { WhySource } from './why-source.ts';

export interface WhyRequest {
  /** The hash of a report. */
  readonly report: string;
  readonly type: string;
  readonly title: string;
}

/** @throws ServiceError `not-found` for a report that is not kept, or in which nothing happened to the resource */
export async function explainChange(
  source: WhySource,
  request: WhyRequest,
  signal: AbortSignal,
): Promise<WhyAnswer> {
  const run = await readRun(source, request.report, signal);
  const [event] = await readEvents(source, request, signal);
  if (event === undefined)
    throw new ServiceError(
      'not-found',
      `Nothing happened to ${request.type}[${request.title}] in this run of ${run.certname}`,
      { kind: 'bunraku.console/unknown-event', details: { ...request } },
    );
  const before = await runBefore(source, run, signal);
  const drift = await driftCauses({ source, run, before, event }, request, signal);
  const others = before === undefined ? [firstRun] : await differences(source, before, run, event);
  return {
    certname: run.certname,
    report: request.report,
    resource: `${request.type}[${request.title}]`,
    outcome: event.status,
    time: run.endTime,
    file: event.file,
    line: event.line,
    previous: before === undefined ? null : { report: before.hash, time: before.endTime },
    causes: [...drift, ...others].toSorted((a, b) => degrees[a.certainty] - degrees[b.certainty]),
    is_code_known: before === undefined || (await isCodeKnown(source, before, run)),
  };
}

const degrees = { sure: 0, likely: 1, possible: 2 } as const;

const firstRun: ChangeCause = { kind: 'first-run', certainty: 'sure' };

interface Happened {
  readonly source: WhySource;
  readonly run: RunRow;
  readonly before: RunRow | undefined;
  readonly event: EventOfRun;
}

/**
 * Puppet says of a run whether it undid something that was right after the last one; PuppetDB does not keep of which resource. It is
 * certain where the run changed no other.
 */
async function driftCauses(
  { before, event, run, source }: Happened,
  request: WhyRequest,
  signal: AbortSignal,
): Promise<readonly ChangeCause[]> {
  const isOfRun = run.isCorrective && event.status === 'success';
  if (!event.isCorrective && !isOfRun) return [];
  const isCertain = event.isCorrective || (await changedAlone(source, request, signal));
  const last = await lastEventBefore(source, run, request, signal);
  return [
    {
      kind: 'drift',
      certainty: isCertain ? 'sure' : 'likely',
      // The run before found it right, or made it so.
      right_at: before?.endTime ?? null,
      wrong_at: event.timestamp,
      last_changed: last === undefined ? null : { report: last.report, time: last.timestamp },
    },
  ];
}

async function differences(
  source: WhySource,
  before: RunRow,
  run: RunRow,
  event: EventOfRun,
): Promise<readonly ChangeCause[]> {
  const environment: readonly ChangeCause[] =
    before.environment === run.environment
      ? []
      : [{ kind: 'environment', certainty: 'likely', before: before.environment, after: run.environment }];
  return [
    ...environment,
    ...(await codeCauses(source, before, run, event)),
    ...(await groupCauses(source, before, run)),
  ];
}

async function isCodeKnown(source: WhySource, before: RunRow, run: RunRow): Promise<boolean> {
  if (before.codeId === null || run.codeId === null || before.environment !== run.environment) return false;
  return (await source.changedFiles(run.environment, before.codeId, run.codeId)) !== undefined;
}

async function groupCauses(source: WhySource, before: RunRow, run: RunRow): Promise<readonly ChangeCause[]> {
  const [left, right] = await Promise.all([explanationOf(source, before), explanationOf(source, run)]);
  const matching = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  const changes = (await source.groupChanges?.(new Date(before.startTime), new Date(run.startTime))) ?? [];
  const ofNode = changes.filter(({ groupId }) => matching.size === 0 || matching.has(groupId));
  const edited = ofNode.map(
    ({ by, group, id, message, time }): ChangeCause => ({
      kind: 'classification',
      certainty: matching.size === 0 ? 'possible' : 'likely',
      change: { id, group, by, message, time: time.toISOString() },
    }),
  );
  if (left === undefined || right === undefined) return edited;
  const gained = Object.keys(right).filter((id) => !Object.hasOwn(left, id));
  const lost = Object.keys(left).filter((id) => !Object.hasOwn(right, id));
  const groups: readonly ChangeCause[] =
    gained.length + lost.length === 0 ? [] : [{ kind: 'groups', certainty: 'likely', gained, lost }];
  return [...edited, ...groups, ...factCauses(factsInRules(left), factsInRules(right))];
}

function factCauses(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly ChangeCause[] {
  return Array.from(after).flatMap(([fact, value]): readonly ChangeCause[] => {
    if (!before.has(fact) || JSON.stringify(before.get(fact)) === JSON.stringify(value)) return [];
    return [{ kind: 'fact', certainty: 'likely', fact, before: before.get(fact), after: value }];
  });
}

async function explanationOf(source: WhySource, { certname, transactionUuid }: RunRow) {
  return transactionUuid === null ? undefined : await source.explanation?.(certname, transactionUuid);
}
