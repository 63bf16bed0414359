/** On which nodes something is to run: names, a query or a group. */

import type { ReachAnswer } from '../../../src/services/orchestrator/answers/wire.ts';
import { nodesText } from './jobs.ts';
import { namesIn } from './value-editor.ts';

export const targetKinds = ['nodes', 'query', 'group'] as const;
export type TargetKind = (typeof targetKinds)[number];

export interface TargetChoice {
  readonly kind: TargetKind;
  /** Names with commas between them, a query in PQL, or the id of a group. */
  readonly text: string;
}

export type Scope =
  | { readonly nodes: readonly string[] }
  | { readonly query: string }
  | { readonly node_group: string };

/** @returns `undefined` as long as nothing is chosen */
export function scopeOf({ kind, text }: TargetChoice): Scope | undefined {
  if (text.trim() === '') return undefined;
  if (kind === 'query') return { query: text.trim() };
  if (kind === 'group') return { node_group: text };
  return { nodes: namesIn(text) };
}

/** The targets of a job, as the orchestrator counts them. */
export type Reach = ReachAnswer;
export type ReachedLevel = Omit<Reach['levels'][number], 'connected'>;
export type ServerRole = NonNullable<ReachedLevel['role']>;

/** `3 nodes, 1 of them not connected` */
export function reachText({ connected, reason, total }: Reach): string {
  if (total === 0) return reason ?? 'No node matches';
  const away = total - connected;
  if (away === 0) return nodesText(total);
  if (away === total) return `${nodesText(total)}, ${total === 1 ? 'not' : 'none'} connected`;
  return `${nodesText(total)}, ${away.toLocaleString('en')} of them not connected`;
}

/** Above this number of nodes, the user types the number to confirm. */
export const manyNodes = 1000;

/** `web1.example.com`, `3 nodes`, `all nodes that match`. */
export function scopeText(scope: Scope): string {
  if ('query' in scope) return 'all nodes that match';
  if ('node_group' in scope) return 'the node group';
  const [first = '', ...others] = scope.nodes;
  return others.length === 0 ? first : nodesText(scope.nodes.length);
}
