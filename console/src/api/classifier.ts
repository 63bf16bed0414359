/** Groups of nodes, and what nodes get from them. */

import type {
  ChangePreview,
  ClassAnswer,
  Explanation,
  GroupAnswer,
  GroupRules,
  ListedGroup,
  MemberCountsAnswer,
  TranslatedRule,
} from '../../../src/services/classifier/answers/wire.ts';
import type { GroupCatalogs } from '../../../src/services/console/classification/wire.ts';
import { get, post } from './client.ts';

export type {
  ChangePreview,
  Explanation,
  ListedGroup as GroupRow,
  MemberCountsAnswer as MemberCounts,
} from '../../../src/services/classifier/answers/wire.ts';
export type { GroupCatalogs } from '../../../src/services/console/classification/wire.ts';

export type ClassValues = GroupAnswer['classes'];

/** Which groups a node matches by what PuppetDB knows of it, and what it gets from them. */
export async function explainClassification(certname: string, signal: AbortSignal): Promise<Explanation> {
  const path = `/classifier-api/v1/classified/nodes/${encodeURIComponent(certname)}/explanation?facts=stored`;
  const explanation = await post<Explanation>(path, {}, signal);
  if (explanation === undefined) throw new Error('the classifier has answered nothing');
  return explanation;
}

/** All groups, without what they inherit. */
export async function readGroups(signal: AbortSignal): Promise<readonly ListedGroup[]> {
  return await get('/classifier-api/v1/groups', {}, signal);
}

/** A group as it is sent back: without what only answers have. */
export type ChangedGroup = Partial<Omit<GroupAnswer, 'last_edited' | 'rule'>> &
  Pick<GroupAnswer, 'id' | 'name' | 'parent'> & { readonly rule?: unknown };

/** Groups that are changed, made and deleted together. */
export interface GroupChanges {
  readonly groups: readonly ChangedGroup[];
  readonly deleted?: readonly Pick<ChangedGroup, 'id' | 'serial_number'>[];
}

/** Which nodes a change of groups would change. Nothing is stored. */
export async function previewGroups(changes: GroupChanges, signal: AbortSignal): Promise<ChangePreview> {
  const path = '/classifier-api/v1/commands/preview-groups';
  const preview = await post<ChangePreview>(path, changes, signal);
  if (preview === undefined) throw new Error('the classifier has answered nothing');
  return preview;
}

/** The catalogs of some nodes with the groups before and after. @param certnames - at most five */
export async function compareGroupCatalogs(
  changes: GroupChanges,
  certnames: readonly string[],
  signal: AbortSignal,
): Promise<GroupCatalogs> {
  const path = '/console-api/v1/classification/catalogs';
  const answer = await post<GroupCatalogs>(path, { ...changes, certnames }, signal);
  if (answer === undefined) throw new Error('the server has answered nothing');
  return answer;
}

/** Stores all of them, or none. @throws ApiError 409 when one has been changed in the meantime */
export async function changeGroups(changes: GroupChanges): Promise<void> {
  await post('/classifier-api/v1/commands/change-groups', changes);
}

/** Removes the pins of a node from all groups that this user may change. */
export async function unpinFromAll(certname: string): Promise<void> {
  await post('/classifier-api/v1/commands/unpin-from-all', { nodes: [certname] });
}

/** With its comments and types. */
export type KnownClass = ClassAnswer & Required<Pick<ClassAnswer, 'details'>>;
export type KnownParameter = KnownClass['details']['parameters'][string];

/** The classes in the code of an environment, with their comments and types. */
export async function readClasses(environment: string, signal: AbortSignal): Promise<readonly KnownClass[]> {
  const path = `/classifier-api/v1/environments/${encodeURIComponent(environment)}/classes`;
  return await get(path, { details: 'true' }, signal);
}

/** The names of environments that groups may have. */
export async function readEnvironments(signal: AbortSignal): Promise<readonly string[]> {
  const found = await get<readonly { readonly name: string }[]>(
    '/classifier-api/v1/environments',
    {},
    signal,
  );
  return found.map(({ name }) => name);
}

/** The nodes that match a group by what PuppetDB knows of them; `undefined` where PuppetDB can't be asked for the rule. */
export async function readMatchingNodes(
  id: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const path = `/classifier-api/v1/groups/${encodeURIComponent(id)}/rules`;
  const { rule_with_inherited: rule, translated } = await get<GroupRules>(path, {}, signal);
  if (rule === null) return [];
  const query = translated.inventory_query_format;
  if (query === null) return undefined;
  const parameters = {
    query: JSON.stringify(['extract', 'certname', query]),
    order_by: JSON.stringify([{ field: 'certname' }]),
  };
  const rows = await get<readonly { readonly certname: string }[]>(
    '/pdb/query/v4/inventory',
    parameters,
    signal,
  );
  return rows.map(({ certname }) => certname);
}

/** How many nodes match each group, as it is committed. */
export async function readMemberCounts(signal: AbortSignal): Promise<MemberCountsAnswer> {
  return await get('/classifier-api/v1/member-counts', {}, signal);
}

/** Counts the nodes that match a rule. @throws ApiError for an invalid rule, such as a malformed pattern */
export async function countMatching(rule: unknown, signal: AbortSignal): Promise<number> {
  const path = '/classifier-api/v1/rules/translate?format=inventory';
  const translated = await post<TranslatedRule>(path, rule, signal);
  const query = JSON.stringify(['extract', [['function', 'count']], translated?.query]);
  const [row] = await get<readonly { readonly count: number }[]>(
    '/pdb/query/v4/inventory',
    { query },
    signal,
  );
  return row?.count ?? 0;
}
