/** What a plan asks of the world, asked of the main thread. The plan's thread blocks while it waits. */

import { receiveMessageOnPort } from 'node:worker_threads';
import type { FinishedAction, PlanAction, PlanEvent, PlanHost } from '../../../language/plans/index.ts';
import { PuppetError } from '../../../language/syntax/index.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { askBlocking } from '../../../platform/threads/index.ts';
import type { FromPlan, PlanAnswer, PlanQuestion, PlanThreadData, ToPlan } from '../plan-protocol.ts';

export class ThreadHost implements PlanHost {
  private readonly data: Pick<PlanThreadData, 'actions' | 'questions'>;
  private readonly variables: Readonly<Record<string, string | undefined>>;
  private readonly abandoned = new Set<number>();
  private count = 0;

  constructor(
    data: Pick<PlanThreadData, 'actions' | 'questions'>,
    variables: Readonly<Record<string, string | undefined>>,
  ) {
    this.data = data;
    this.variables = variables;
  }

  start(action: PlanAction): number {
    this.count += 1;
    this.post({ kind: 'start', id: this.count, action });
    return this.count;
  }

  abandon(id: number): void {
    this.abandoned.add(id);
    this.post({ kind: 'abandon', id });
  }

  next(): FinishedAction {
    const { port, signal } = this.data.actions;
    for (;;) {
      // Read first: what arrives after the look at the port changes the number, so the wait ends at once.
      const seen = Atomics.load(signal, 0);
      const received = receiveMessageOnPort(port)?.message as ToPlan | undefined;
      if (received === undefined) Atomics.wait(signal, 0, seen);
      else if (!this.abandoned.has(received.id)) return finished(received);
    }
  }

  tell(event: PlanEvent): void {
    this.post({ kind: 'event', event });
  }

  findTask(name: string): JsonObject | undefined {
    // It is the terminus' answer, which says the same.
    return this.ask({ kind: 'task', name }) as JsonObject | undefined;
  }

  queryPuppetdb(query: Json): Json {
    return this.ask({ kind: 'puppetdb', query }) ?? null;
  }

  environmentVariable(name: string): string | undefined {
    return this.variables[name];
  }

  /** @throws PuppetError with the message of the terminus */
  private ask(question: PlanQuestion): Json | undefined {
    const answer = askBlocking<PlanQuestion, PlanAnswer>(this.data.questions, question);
    if (answer?.kind === 'value') return answer.value;
    const message = answer?.message ?? 'No answer came from the server';
    throw new PuppetError({ code: 'runtime_error', severity: 'error', message });
  }

  private post(message: FromPlan): void {
    this.data.actions.port.postMessage(message);
  }
}

/** Large values are read here, where only the plan waits for it. */
function finished({ id, outcome }: ToPlan): FinishedAction {
  if (outcome.kind !== 'results') return { id, outcome };
  const results = outcome.results.map((result) =>
    'json' in result
      ? { target: result.target, value: JSON.parse(textOf(result.json)) as JsonObject }
      : result,
  );
  return { id, outcome: { kind: 'results', results } };
}

/** A decoder takes no memory that threads share. */
function textOf(json: Uint8Array): string {
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8');
}
