/**
 * What one job does on one node: a pure machine, (action, event, context) to (action, effects).
 *
 * An action has one transaction id for its whole life, under which the agent knows a repetition: it answers a request that it
 * already has without running anything. A request is sent again only when the agent says that it never heard of it. Whatever is
 * unclear (a lost answer, a reconnection, a restart of this server) is settled by asking the agent for the status.
 */

import type { Json } from '../../../lib/json.ts';
import type { Transport } from '../agent-link.ts';
import type { AgentAnswer } from './agent-answer.ts';
import type { Outcomes } from './interpreters.ts';
import { hasEnded, type NodeState } from './states.ts';

/** What the agent reported at the end, as it came. */
export type Results = Readonly<Record<string, Json>>;

/** How an action ended. */
export interface Outcome {
  readonly state: 'finished' | 'failed' | 'errored' | 'skipped';
  /** What the API shows under `result`. */
  readonly result?: Results;
  /** The result as JSON in UTF-8 where it is large: the main thread does not read it. */
  readonly largeResult?: Uint8Array;
  /** What a large result says went wrong. */
  readonly failure?: string;
  /** Why, where no result says it. */
  readonly detail?: string;
  /** The Puppet run whose report tells more. */
  readonly reportOf?: string;
}

export interface Action {
  readonly certname: string;
  /** Actions of a level begin when all of the levels before have ended. */
  readonly level: number;
  readonly state: NodeState;
  /** Present once a request may have been sent. */
  readonly transactionId?: string;
  /** By which transport the request was sent first, and alone is sent; absent in actions of an earlier version. */
  readonly transport?: Transport;
  /** How often the request was sent, or may have been. */
  readonly deliveries: number;
  /** Whether the agent has shown that it has the request. */
  readonly isAcknowledged: boolean;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** Known, but the report of the run is still looked for. */
  readonly pending?: Outcome;
  readonly outcome?: Outcome;
  /** Not stored; a restart begins with what `resume` says. */
  readonly watch: Watch;
}

/** What is remembered to notice silence. */
export interface Watch {
  /** When `tick` is due. */
  readonly wakeAt?: number;
  readonly disconnectedAt?: number;
  /** When the agent was last heard, or could first have been. */
  readonly heardAt?: number;
  /** The status query whose answer is still believed when it is `unknown`. */
  readonly queryId?: string;
  readonly reportTries?: number;
  /** Whether the agent was asked over this connection to send output as it comes. */
  readonly isFollowed?: boolean;
}

export type ActionEvent =
  | { readonly kind: 'begin' }
  /** The node's turn has come. */
  | { readonly kind: 'grant' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'tick' }
  | { readonly kind: 'answer'; readonly answer: AgentAnswer }
  | { readonly kind: 'report'; readonly report: Results | undefined }
  /** The job starts nothing more. */
  | { readonly kind: 'skip'; readonly detail: string }
  /** Its end isn't waited for any more. */
  | { readonly kind: 'give-up'; readonly detail: string }
  /** This server has started again. */
  | { readonly kind: 'resume' };

export type ActionEffect =
  | { readonly kind: 'request'; readonly transactionId: string }
  | { readonly kind: 'query'; readonly transactionId: string; readonly queryId: string }
  | { readonly kind: 'find-report'; readonly transactionUuid: string }
  /** Asks for output while the action runs. */
  | { readonly kind: 'follow'; readonly transactionId: string };

export interface ActionContext {
  readonly now: number;
  /** By the transport of the action, once it has one. */
  readonly isConnected: boolean;
  /** What a request that is sent now would use. */
  readonly transport?: Transport;
  /** Until when the node is likely to come back, if it is not connected; in the past when nothing is known about that. */
  readonly expectedUntil: number;
  /** Makes an id that was never used. */
  readonly freshId: () => string;
  readonly policy: ActionPolicy;
  /** What the agent's results mean for this kind of job. */
  readonly interpret: (results: Results, known: Outcomes | undefined) => Outcome;
  /** Whether somebody wants to see output before the end. */
  readonly isFollowed: boolean;
}

export interface ActionPolicy {
  /** How long a node may be disconnected. */
  readonly disconnectedMs: number;
  /** How long after a restart of this server nodes may be on their way back. */
  readonly disconnectedAfterRestartMs: number;
  /** How long an answer to a request or a query is waited for before the agent is asked again. */
  readonly answerMs: number;
  /** How often an agent that is at work is asked whether it still is. */
  readonly quietMs: number;
  /** How long a connected agent may answer nothing at all. */
  readonly silentMs: number;
  readonly mostDeliveries: number;
  readonly reportRetryMs: number;
  readonly mostReportTries: number;
}

export interface Step {
  readonly action: Action;
  readonly effects: readonly ActionEffect[];
}

export function newAction(certname: string, level: number): Action {
  return { certname, level, state: 'new', deliveries: 0, isAcknowledged: false, watch: {} };
}

export function advanceAction(action: Action, event: ActionEvent, context: ActionContext): Step {
  if (hasEnded(action.state)) return stay(action);
  switch (event.kind) {
    case 'begin':
      return waitForTurn(action, context);
    case 'grant':
      return grant(action, context);
    case 'sent':
      return stay(running(action, context));
    case 'not-sent':
      return lose({ ...action, deliveries: Math.max(0, action.deliveries - 1) }, context);
    case 'connected':
      return reconnect(action, context);
    case 'lost':
      return lose(action, context);
    case 'tick':
      return tick(action, context);
    case 'answer':
      return answered(action, event.answer, context);
    case 'report':
      return reported(action, event.report, context);
    case 'skip':
      return action.transactionId === undefined
        ? end(action, { state: 'skipped', detail: event.detail }, context)
        : stay(action);
    case 'give-up':
      return end(action, { state: 'errored', detail: event.detail }, context);
    case 'resume':
      return resume(action, context);
    default:
      return event satisfies never;
  }
}

function stay(action: Action): Step {
  return { action, effects: [] };
}

function waitForTurn(action: Action, context: ActionContext): Step {
  // A node that is connected waits as long as others take; its turn will come.
  return stay({ ...action, watch: context.isConnected ? {} : absence(context) });
}

/** Nodes of a broker that was lost look for another one: most are there after 10 to 40 s. */
function absence({ expectedUntil, now, policy }: ActionContext): Action['watch'] {
  return { disconnectedAt: now, wakeAt: Math.max(now + policy.disconnectedMs, expectedUntil) };
}

function grant(action: Action, { freshId, now, policy, transport }: ActionContext): Step {
  if (action.transactionId !== undefined) return stay(action);
  const transactionId = freshId();
  const watch = { heardAt: now, wakeAt: now + policy.answerMs };
  return {
    action: {
      ...action,
      state: 'ready',
      transactionId,
      ...(transport === undefined ? {} : { transport }),
      deliveries: 1,
      watch,
    },
    effects: [{ kind: 'request', transactionId }],
  };
}

function running(action: Action, { now }: ActionContext): Action {
  return action.state === 'running'
    ? action
    : { ...action, state: 'running', startedAt: action.startedAt ?? now };
}

function reconnect(action: Action, context: ActionContext): Step {
  const { transactionId } = action;
  if (action.pending !== undefined) return stay(action);
  if (transactionId === undefined) return stay({ ...action, watch: {} });
  // Connected by another transport, which knows nothing of it.
  if (!context.isConnected) return stay(action);
  return query({ ...action, watch: { heardAt: context.now } }, transactionId, context);
}

function query(action: Action, transactionId: string, { freshId, now, policy }: ActionContext): Step {
  const queryId = freshId();
  const watch = { ...action.watch, queryId, wakeAt: now + policy.answerMs };
  return {
    action: { ...action, watch },
    effects: [{ kind: 'query', transactionId, queryId }],
  };
}

function lose(action: Action, context: ActionContext): Step {
  // A new connection may be there before the end of the old one is told.
  if (context.isConnected || action.pending !== undefined || action.watch.disconnectedAt !== undefined)
    return stay(action);
  return stay({ ...action, watch: absence(context) });
}

function tick(action: Action, context: ActionContext): Step {
  const { now, policy } = context;
  const { disconnectedAt, heardAt = now, wakeAt } = action.watch;
  if (wakeAt === undefined || now < wakeAt) return stay(action);
  if (action.pending !== undefined) return lookForReport(action, action.pending, context);
  if (disconnectedAt !== undefined) return end(action, notConnected(action), context);
  if (action.transactionId === undefined) return stay({ ...action, watch: {} });
  if (now - heardAt >= policy.silentMs) {
    const detail = `${action.certname} is connected but has not answered for ${policy.silentMs / 1000} s`;
    return end(action, { state: 'errored', detail }, context);
  }
  return query(action, action.transactionId, context);
}

function notConnected({ certname, deliveries, isAcknowledged, transport }: Action): Outcome {
  if (transport === 'ssh' && deliveries > 0)
    return {
      state: 'errored',
      detail: `it is unknown whether it ran: ${certname} is no longer reached by SSH`,
    };
  const detail = isAcknowledged
    ? `${certname} was disconnected from the PCP broker before it reported a result`
    : `${certname} is not connected to the PCP broker`;
  return { state: 'errored', detail };
}

function answered(action: Action, answer: AgentAnswer, context: ActionContext): Step {
  // Without a transaction nothing was sent: the answer belongs to something else.
  if (action.transactionId === undefined || action.pending !== undefined) return stay(action);
  switch (answer.kind) {
    case 'accepted':
    case 'running':
      return atWork(action, context);
    case 'results':
      return conclude(action, context.interpret(answer.results, answer.outcomes), context);
    case 'error':
      return end(action, { state: 'errored', detail: answer.description }, context);
    case 'unknown':
      return answer.queryId === action.watch.queryId ? unknown(action, answer, context) : stay(action);
    default:
      return answer satisfies never;
  }
}

/** Forgets the last query: an `unknown` that is still on its way was said before the request arrived. */
function atWork(action: Action, context: ActionContext): Step {
  const { isFollowed, now, policy } = context;
  const { transactionId } = action;
  const watch = { heardAt: now, wakeAt: now + policy.quietMs, isFollowed };
  const mustFollow = isFollowed && action.watch.isFollowed !== true && transactionId !== undefined;
  return {
    action: { ...running(action, context), isAcknowledged: true, watch },
    effects: mustFollow ? [{ kind: 'follow', transactionId }] : [],
  };
}

function unknown(
  action: Action,
  { detail, isUnheardOf }: Extract<AgentAnswer, { readonly kind: 'unknown' }>,
  context: ActionContext,
): Step {
  const { now, policy } = context;
  const { deliveries, transactionId } = action;
  const mayRepeat = isUnheardOf && !action.isAcknowledged && deliveries < policy.mostDeliveries;
  if (!mayRepeat || transactionId === undefined) return end(action, { state: 'errored', detail }, context);
  const watch = { heardAt: now, wakeAt: now + policy.answerMs };
  return {
    action: { ...action, deliveries: deliveries + 1, watch },
    effects: [{ kind: 'request', transactionId }],
  };
}

function conclude(action: Action, outcome: Outcome, context: ActionContext): Step {
  const known = { ...running(action, context), isAcknowledged: true };
  if (outcome.reportOf === undefined) return end(known, outcome, context);
  return lookForReport({ ...known, pending: outcome, watch: {} }, outcome, context);
}

function lookForReport(action: Action, pending: Outcome, context: ActionContext): Step {
  const { now, policy } = context;
  const tries = action.watch.reportTries ?? 0;
  if (pending.reportOf === undefined || tries >= policy.mostReportTries) return end(action, pending, context);
  const watch = { reportTries: tries + 1, wakeAt: now + policy.reportRetryMs * 2 ** tries };
  return {
    action: { ...action, watch },
    effects: [{ kind: 'find-report', transactionUuid: pending.reportOf }],
  };
}

function reported(action: Action, report: Results | undefined, context: ActionContext): Step {
  const { pending } = action;
  if (pending === undefined || report === undefined) return stay(action);
  return end(action, { ...pending, result: { ...pending.result, ...report } }, context);
}

function resume(action: Action, context: ActionContext): Step {
  const rested = { ...action, watch: {} };
  if (action.pending !== undefined) return lookForReport(rested, action.pending, context);
  if (context.isConnected) return reconnect(rested, context);
  return stay({ ...rested, watch: absence(context) });
}

function end(action: Action, outcome: Outcome, { now }: ActionContext): Step {
  const { pending: _, ...rest } = action;
  return stay({ ...rest, state: outcome.state, outcome, finishedAt: now, watch: {} });
}
