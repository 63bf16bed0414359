/** What simulated agents write down of each action before and after they run it, as the spool of a real agent does. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What an agent did. */
export interface AgentAction {
  readonly certname: string;
  readonly transactionId: string;
  /** Of the job, in the parameters of its task. */
  readonly token: string;
  /** Milliseconds since 1970, as below. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly end?: { readonly at: number; readonly exitCode: number };
}

type JournalLine =
  | ({ readonly kind: 'start' } & Omit<AgentAction, 'end'>)
  | {
      readonly kind: 'end';
      readonly certname: string;
      readonly transactionId: string;
      readonly at: number;
      readonly exitCode: number;
    };

/** A file to which many agents append. */
export class ActionJournal {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  start(action: Omit<AgentAction, 'end'>): void {
    this.append({ kind: 'start', ...action });
  }

  end(line: Omit<Extract<JournalLine, { kind: 'end' }>, 'kind'>): void {
    this.append({ kind: 'end', ...line });
  }

  private append(line: JournalLine): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}

/** @returns each start as an action of its own, also when two have the same transaction */
export function readJournal(file: string): readonly AgentAction[] {
  if (!existsSync(file)) return [];
  const actions: AgentAction[] = [];
  for (const text of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as JournalLine;
    if (line.kind === 'start') {
      const { kind: _, ...action } = line;
      actions.push(action);
      continue;
    }
    const { at, certname, exitCode, transactionId } = line;
    const index = actions.findLastIndex(
      (each) => each.certname === certname && each.transactionId === transactionId && each.end === undefined,
    );
    const started = actions[index];
    if (started === undefined) throw new Error(`the end of an action that did not start: ${text}`);
    actions[index] = { ...started, end: { at, exitCode } };
  }
  return actions;
}
