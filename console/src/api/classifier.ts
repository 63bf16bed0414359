/** Groups of nodes, and what nodes get from them. */

import { get, post } from './client.ts';

export type ClassValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ClassificationPart {
  readonly environment?: string;
  readonly classes?: ClassValues;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly config_data?: ClassValues;
}

export interface LeafGroup extends ClassificationPart {
  readonly id: string;
  readonly name: string;
  readonly rule?: unknown;
}

/** `form`: an operator, then conditions, or what was compared with the value that it had. */
export interface ExplainedCondition {
  readonly value: boolean;
  readonly form: readonly unknown[];
}

export interface Explanation {
  /** By the id of the group. */
  readonly match_explanations: Readonly<Record<string, ExplainedCondition>>;
  readonly leaf_groups: Readonly<Record<string, LeafGroup>>;
  readonly inherited_classifications: Readonly<Record<string, ClassificationPart>>;
  readonly conflicts?: unknown;
  readonly final_classification?: ClassificationPart;
}

/** Which groups a node matches by what PuppetDB knows of it, and what it gets from them. */
export async function explainClassification(certname: string, signal: AbortSignal): Promise<Explanation> {
  const path = `/classifier-api/v1/classified/nodes/${encodeURIComponent(certname)}/explanation?facts=stored`;
  const explanation = await post<Explanation>(path, {}, signal);
  if (explanation === undefined) throw new Error('the classifier has answered nothing');
  return explanation;
}

export interface GroupRow extends ClassificationPart {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly rule?: unknown;
}

/** All groups, without what they inherit. */
export async function readGroups(signal: AbortSignal): Promise<readonly GroupRow[]> {
  return await get('/classifier-api/v1/groups', {}, signal);
}
