/** Agents in memory that answer what the real pxp-agent answered when it was recorded. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { AgentLink, AgentListener } from './agent-link.ts';
import { queryType } from './jobs/agent-answer.ts';
import { readLargeAnswer } from './jobs/large-answer.ts';

interface Entry {
  readonly dir?: string;
  readonly message?: { readonly message_type: string; readonly data: JsonObject };
}

interface Recording {
  readonly steps: readonly { readonly note: string; readonly entries: readonly Entry[] }[];
}

/** One message of an agent, without ids of the recording. */
export interface Said {
  readonly messageType: string;
  readonly data: JsonObject;
}

const directory = join(import.meta.dirname, '../../../test/recorded/pcp');

/** What the agent said in the steps of a recording whose note begins so. */
export function said(file: string, note: string): readonly Said[] {
  const recording = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Recording;
  const start = recording.steps.findIndex((step) => step.note.startsWith(note));
  const step = recording.steps[start];
  if (step === undefined) throw new Error(`no step '${note}' in ${file}`);
  return step.entries
    .filter(({ dir }) => dir === 'agent->broker')
    .flatMap(({ message }) =>
      message === undefined ? [] : [{ messageType: message.message_type, data: message.data }],
    );
}

/** Answers requests, or says nothing. */
export type Script = (data: JsonObject, messageType: string) => readonly Said[];

export class RecordedAgents implements AgentLink {
  /** Everything that was sent, in order. */
  readonly sent: { readonly certname: string; readonly messageType: string; readonly data: JsonObject }[] =
    [];
  /** Whether answers come as a thread has read them. */
  readsElsewhere = false;
  private readonly scripts = new Map<string, Script>();
  private listener: AgentListener | undefined;

  /** @param script - what the agent answers */
  connect(certname: string, script: Script): void {
    this.scripts.set(certname, script);
    this.listener?.connected(certname, broker);
  }

  disconnect(certname: string): void {
    this.scripts.delete(certname);
    this.listener?.lost(certname);
  }

  connection(certname: string): { readonly broker: string; readonly since: Date } | undefined {
    return this.scripts.has(certname) ? { broker, since } : undefined;
  }

  *connections(): Iterable<{ readonly certname: string; readonly broker: string; readonly since: Date }> {
    for (const certname of this.scripts.keys()) yield { certname, broker, since };
  }

  expectedUntil(): undefined {
    return undefined;
  }

  send(certname: string, messageType: string, data: Json): Promise<'sent' | 'not-connected'> {
    const script = this.scripts.get(certname);
    if (script === undefined) return Promise.resolve('not-connected');
    const request = data as JsonObject;
    this.sent.push({ certname, messageType, data: request });
    for (const each of script(request, messageType)) this.say(certname, each);
    return Promise.resolve('sent');
  }

  /** A message of an agent that no request waits for. */
  say(certname: string, { data, messageType }: Said): void {
    const message = { id: 'an id', messageType, data };
    const read = this.readsElsewhere ? readLargeAnswer(message) : undefined;
    const heard = read === undefined ? message : { ...message, data: null, read: structuredClone(read) };
    setImmediate(() => this.listener?.message(certname, heard));
  }

  listen(listener: AgentListener): () => void {
    this.listener = listener;
    return () => {
      this.listener = undefined;
    };
  }
}

const broker = 'pcp://compile1.example.vm/server';
const since = new Date('2026-11-21T09:35:00Z');

/** What was recorded, about this transaction. */
export function answering(recorded: readonly Said[]): Script {
  return ({ module, params, transaction_id: id = '' }, messageType) => {
    // The recorded agent says so of every module that it does not have.
    if (messageType === queryType && module !== 'status')
      return [
        {
          messageType: errorMessage,
          data: { transaction_id: id, description: `unknown module: ${String(module)}` },
        },
      ];
    const asked = (params as JsonObject)['transaction_id'] ?? '';
    return recorded
      .filter((each) => (each.messageType === statusResponse) === (messageType === queryType))
      .map(({ data, messageType: type }) => ({
        messageType: type,
        data: {
          ...data,
          transaction_id: id,
          ...(type === statusResponse
            ? { results: { ...(data['results'] as JsonObject), transaction_id: asked } }
            : {}),
        },
      }));
  };
}

const errorMessage = 'http://puppetlabs.com/rpc_error_message';
const statusResponse = 'http://puppetlabs.com/rpc_blocking_response';
