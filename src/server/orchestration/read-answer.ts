/** Reads one large answer of an agent, in a thread. */

import { decodeAgentMessage } from '../../services/broker/index.ts';
import { type AgentMessage, readLargeAnswer } from '../../services/orchestrator/index.ts';

export type AnswerQuestion =
  /** A message as a broker passes it on. */
  | { readonly kind: 'message'; readonly bytes: Uint8Array }
  /** An answer of a node that is reached by SSH. */
  | { readonly kind: 'answer'; readonly certname: string; readonly message: AgentMessage };

export interface ReadAnswer {
  readonly certname: string;
  readonly message: AgentMessage;
}

/** @returns `undefined` for a message that is not an answer */
export function readAnswer(question: AnswerQuestion): ReadAnswer | undefined {
  const found = question.kind === 'message' ? decodeAgentMessage(question.bytes) : question;
  if (found === undefined) return undefined;
  const { certname, message } = found;
  const read = readLargeAnswer(message);
  return read && { certname, message: { ...message, data: null, read } };
}
