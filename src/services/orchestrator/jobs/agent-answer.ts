/**
 * Messages of agents about what they were asked to do.
 *
 * Answers carry no `in_reply_to`: they belong to a transaction. The answer to a status query names the transaction that it is
 * about in its results, and the query's own beside them.
 */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json } from '../../../lib/json.ts';
import type { AgentMessage } from '../agent-link.ts';
import type { Results } from './action.ts';
import type { Outcomes } from './interpreters.ts';

export type AgentAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'running' }
  /** `outcomes`: what another thread has made of large results, which are not here then. */
  | { readonly kind: 'results'; readonly results: Results; readonly outcomes?: Outcomes }
  | { readonly kind: 'error'; readonly description: string }
  | {
      readonly kind: 'unknown';
      /** Of the query that is answered so. */
      readonly queryId: string;
      readonly detail: string;
      /** Whether the agent never had such a request, rather than lost what came of it. */
      readonly isUnheardOf: boolean;
    };

export interface Answered {
  readonly transactionId: string;
  readonly answer: AgentAnswer;
}

export const requestType = 'http://puppetlabs.com/rpc_non_blocking_request';
export const queryType = 'http://puppetlabs.com/rpc_blocking_request';

const ResultsWire = z.record(z.string(), z.json());
const ProvisionalWire = z.object({ transaction_id: z.string() });
const ResponseWire = z.object({ transaction_id: z.string(), results: ResultsWire });
const ErrorWire = z.object({ transaction_id: z.string(), description: z.string() });
const StatusWire = z.object({
  transaction_id: z.string(),
  results: z.looseObject({
    transaction_id: z.string(),
    status: z.enum(['unknown', 'running', 'success', 'failure']),
    exitcode: z.int().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
  }),
});
const AgentErrorWire = z.object({ _error: z.object({ msg: z.string() }) });

/** What agents say of a transaction that their spool does not have. */
const unheardOf = 'found no results directory';

const decoders: Readonly<Record<string, (data: Json) => Answered | undefined>> = {
  'http://puppetlabs.com/rpc_provisional_response': (data) => {
    const found = checkShape(ProvisionalWire, data).data;
    return found && { transactionId: found.transaction_id, answer: { kind: 'accepted' } };
  },
  'http://puppetlabs.com/rpc_non_blocking_response': (data) => {
    const found = checkShape(ResponseWire, data).data;
    return (
      found && { transactionId: found.transaction_id, answer: { kind: 'results', results: found.results } }
    );
  },
  'http://puppetlabs.com/rpc_error_message': (data) => {
    const found = checkShape(ErrorWire, data).data;
    return (
      found && {
        transactionId: found.transaction_id,
        answer: { kind: 'error', description: found.description },
      }
    );
  },
  'http://puppetlabs.com/rpc_blocking_response': decodeStatus,
};

/** @returns `undefined` unless it answers a request of ours */
export function decodeAnswer({ data, messageType, read }: AgentMessage): Answered | undefined {
  // Made by `readLargeAnswer`.
  if (read !== undefined) return read as Answered;
  return Object.hasOwn(decoders, messageType) ? decoders[messageType]?.(data) : undefined;
}

function decodeStatus(data: Json): Answered | undefined {
  const found = checkShape(StatusWire, data).data;
  if (found === undefined) return undefined;
  const { exitcode = -1, status, stderr, stdout, transaction_id: transactionId } = found.results;
  switch (status) {
    case 'running':
      return { transactionId, answer: { kind: 'running' } };
    case 'unknown': {
      const detail = errorOf(stdout) ?? 'the agent does not know what became of it';
      const isUnheardOf = detail === unheardOf;
      return {
        transactionId,
        answer: { kind: 'unknown', queryId: found.transaction_id, detail, isUnheardOf },
      };
    }
    default: {
      const output = {
        ...(stdout === undefined ? {} : { stdout }),
        ...(stderr === undefined ? {} : { stderr }),
      };
      return { transactionId, answer: { kind: 'results', results: { exitcode, ...output } } };
    }
  }
}

function errorOf(stdout: string | undefined): string | undefined {
  if (stdout === undefined) return undefined;
  try {
    return checkShape(AgentErrorWire, JSON.parse(stdout)).data?._error.msg;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
