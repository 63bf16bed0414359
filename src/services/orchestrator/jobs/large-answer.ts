/**
 * Reads large answers of agents in a thread: to read 16 MB, to interpret them and to write the result takes half a second, which would
 * block the main thread for all requests. The main thread gets the outcome, and the result as bytes that it does not look at.
 */

import type { AgentMessage } from '../agent-link.ts';
import type { Outcome, Results } from './action.ts';
import { type Answered, decodeAnswer } from './agent-answer.ts';
import { allOutcomes, type OutcomeKind, type Outcomes } from './interpreters.ts';
import { errorMessage, longestReason } from './job-event.ts';

/** Of a result in an outcome that the main thread reads, in characters of JSON. */
const longestResult = 64 * 1024;
/** Longest text of other answers. One more than events show, so that they tell that the text was longer. */
const longestText = longestReason + 1;

/**
 * The thread's part.
 *
 * @returns what the main thread's `decodeAnswer` gives back; `undefined` for messages that answer nothing
 */
export function readLargeAnswer(message: AgentMessage): Answered | undefined {
  const found = decodeAnswer(message);
  if (found === undefined) return undefined;
  const { answer, transactionId } = found;
  switch (answer.kind) {
    case 'results':
      return {
        transactionId,
        answer: { ...answer, results: {}, outcomes: compacted(allOutcomes(answer.results)) },
      };
    case 'error':
      return { transactionId, answer: { ...answer, description: answer.description.slice(0, longestText) } };
    case 'unknown':
      return { transactionId, answer: { ...answer, detail: answer.detail.slice(0, longestText) } };
    default:
      return found;
  }
}

function compacted(outcomes: Outcomes): Outcomes {
  const written = new Map<Results, Uint8Array | undefined>();
  const each = Object.entries(outcomes).map(([kind, outcome]) => {
    const { detail } = outcome;
    const short = detail === undefined ? outcome : { ...outcome, detail: detail.slice(0, longestText) };
    return [kind, kind === 'run' ? compactedRun(short) : withBytes(short, written)] as const;
  });
  return Object.fromEntries(each) as Record<OutcomeKind, Outcome>;
}

/** The result of several kinds is one. */
function withBytes(outcome: Outcome, written: Map<Results, Uint8Array | undefined>): Outcome {
  const { result, ...rest } = outcome;
  if (result === undefined) return outcome;
  if (!written.has(result)) written.set(result, bytesOf(result));
  const largeResult = written.get(result);
  if (largeResult === undefined) return outcome;
  const failure = errorMessage(result)?.slice(0, longestText);
  return { ...rest, largeResult, ...(failure === undefined ? {} : { failure }) };
}

/** The report of a run becomes part of its result. Runs have little to say but numbers, which may be left out. */
function compactedRun(outcome: Outcome): Outcome {
  const { result } = outcome;
  if (result === undefined || JSON.stringify(result).length <= longestResult) return outcome;
  const { metrics: _metrics, ...others } = result;
  if (JSON.stringify(others).length <= longestResult) return { ...outcome, result: others };
  return { state: 'errored', detail: 'The agent sent results of a Puppet run that are too large to be read' };
}

/** In memory that threads share: it is passed on to the thread of the database. @returns `undefined` for a small result */
function bytesOf(result: Results): Uint8Array | undefined {
  const text = JSON.stringify(result);
  if (text.length <= longestResult) return undefined;
  const memory = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(memory).write(text);
  return new Uint8Array(memory);
}
