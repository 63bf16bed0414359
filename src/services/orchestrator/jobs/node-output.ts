/**
 * What an action writes while it runs, in the order in which it was written and each byte once.
 *
 * Agents of ours send whole lines with their place in the stream, and begin again from a place that they are given; others do not know
 * the request for it.
 */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json } from '../../../lib/json.ts';
import type { AgentMessage } from '../agent-link.ts';

export const outputStreams = ['stdout', 'stderr'] as const;
export type OutputStream = (typeof outputStreams)[number];

/** How much of each stream is known, in bytes. */
export type OutputOffsets = Readonly<Record<OutputStream, number>>;

export const noOutput: OutputOffsets = { stdout: 0, stderr: 0 };

export interface OutputPiece {
  readonly transactionId: string;
  readonly stream: OutputStream;
  /** Bytes of the stream before this text. */
  readonly offset: number;
  readonly text: string;
}

const outputType = 'http://puppetlabs.com/rpc_action_output';
/** Of each stream: the rest is in the result alone. */
const limitBytes = 256 * 1024;

const OutputWire = z.object({
  transaction_id: z.string(),
  stream: z.enum(outputStreams),
  offset: z.int().min(0),
  text: z.string(),
});

/** @returns `undefined` for any other message */
export function decodeOutput({ data, messageType }: AgentMessage): OutputPiece | undefined {
  if (messageType !== outputType) return undefined;
  const found = checkShape(OutputWire, data).data;
  if (found === undefined) return undefined;
  const { transaction_id: transactionId, ...piece } = found;
  return { transactionId, ...piece };
}

/** The request to send output from there on. @param queryId - of this request alone */
export function followRequest(transactionId: string, queryId: string, known: OutputOffsets): Json {
  const params = {
    transaction_id: transactionId,
    stdout_offset: known.stdout,
    stderr_offset: known.stderr,
    limit_bytes: limitBytes,
  };
  return { transaction_id: queryId, module: 'output', action: 'follow', params };
}

export class OutputProgress {
  private readonly known: Record<OutputStream, number>;

  constructor(known: OutputOffsets) {
    this.known = { ...known };
  }

  get offsets(): OutputOffsets {
    return this.known;
  }

  /** @returns what is new of a piece; `undefined` when nothing is, or when there was enough */
  take({ offset, stream, text, transactionId }: OutputPiece): OutputPiece | undefined {
    const known = this.known[stream];
    const bytes = Buffer.from(text);
    const end = offset + bytes.length;
    if (end <= known || known >= limitBytes) return undefined;
    this.known[stream] = end;
    if (offset >= known) return { transactionId, stream, offset, text };
    return { transactionId, stream, offset: known, text: bytes.subarray(known - offset).toString('utf8') };
  }
}
