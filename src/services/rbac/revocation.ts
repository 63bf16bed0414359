/** Revokes tokens: as many as possible, then one error that names the others. */

import type { Change, ChangeDetails } from '../../platform/changes/index.ts';
import { by, tokenChange, userEvent } from './changes.ts';
import { rbacError } from './rbac-error.ts';
import type { RbacStore } from './store.ts';
import type { Token } from './token.ts';
import { isTokenText, tokenDigest } from './token-text.ts';
import type { Actor, User } from './user.ts';

/** Which ones: in four ways, which may overlap. */
export interface RevocationRequest {
  readonly tokens: readonly string[];
  readonly ids: readonly string[];
  /** Of the actor's own. */
  readonly labels: readonly string[];
  /** Logins whose tokens are all meant. */
  readonly logins: readonly string[];
  /** Parameters that mean nothing here. */
  readonly unrecognized: readonly string[];
}

interface Problems {
  readonly malformed_tokens: string[];
  readonly malformed_ids: string[];
  readonly malformed_labels: string[];
  readonly malformed_usernames: string[];
  readonly nonexistent_usernames: string[];
  readonly permission_denied_usernames: string[];
  readonly unrecognized_parameters: string[];
}

/** @throws ServiceError `bad-request` or `forbidden` when something was not revoked, after all the rest was */
export async function revoke(
  store: RbacStore,
  request: RevocationRequest,
  actor: Actor,
  now: Date,
): Promise<void> {
  const change = by(actor, now);
  const problems: Problems = {
    ...noProblems(),
    malformed_tokens: request.tokens.filter((text) => !isTokenText(text)),
    malformed_labels: request.labels.filter((label) => label.trim() === ''),
    unrecognized_parameters: [...request.unrecognized],
  };
  if (request.tokens.length + request.ids.length + request.labels.length + request.logins.length === 0)
    throw failure('No tokens were named', problems, false);
  // The bearer of a token may give it up.
  const shown = await findShown(store, request.tokens);
  const own = await store.tokensOf(actor.id);
  const labelled = own.filter(({ label }) => label !== undefined && request.labels.includes(label));
  const named = await findNamed(store, request.ids, actor, problems);
  const users = await findUsers(store, request.logins, actor, problems);
  await revokeAll(store, [...shown, ...labelled, ...named], change);
  for (const user of users) await store.revokeTokensOf(user.id, [change(allRevoked(user))]);
  const hasRevoked = shown.length + labelled.length + named.length + users.length > 0;
  const text = describe(problems);
  if (text !== '') throw failure(text, problems, hasRevoked);
}

/** @throws ServiceError `bad-request` for text that cannot be a token */
export async function revokeOne(
  store: RbacStore,
  text: string,
  actor: Pick<Actor, 'author'>,
  now: Date,
): Promise<void> {
  if (!isTokenText(text)) {
    const problems = { ...noProblems(), malformed_tokens: [text] };
    throw failure(describe(problems), problems, false);
  }
  await revokeAll(store, await findShown(store, [text]), by(actor, now));
}

async function revokeAll(
  store: RbacStore,
  tokens: readonly Token[],
  change: (details: ChangeDetails) => Change,
): Promise<void> {
  const each = [...new Map(tokens.map((token) => [token.id, token])).values()];
  const logins = new Map((await store.users()).map(({ id, login }) => [id, login]));
  const details = each.map((token) => tokenChange(token, logins.get(token.userId) ?? token.userId, 'revoke'));
  await store.revokeTokens(
    each.map(({ id }) => id),
    details.map(change),
  );
}

async function findShown(store: RbacStore, texts: readonly string[]): Promise<readonly Token[]> {
  const found = texts.filter(isTokenText).map((text) => store.findToken(tokenDigest(text)));
  return (await Promise.all(found)).flatMap((each) => (each === undefined ? [] : [each.token]));
}

async function findNamed(
  store: RbacStore,
  ids: readonly string[],
  actor: Actor,
  problems: Problems,
): Promise<readonly Token[]> {
  const found: Token[] = [];
  for (const id of ids) {
    const token = await store.findTokenById(id);
    if (token !== undefined && mayRevoke(actor, token.userId)) found.push(token);
    else problems.malformed_ids.push(id);
  }
  return found;
}

async function findUsers(
  store: RbacStore,
  logins: readonly string[],
  actor: Actor,
  problems: Problems,
): Promise<readonly User[]> {
  const found: User[] = [];
  for (const login of logins) {
    const user = await store.findUserByLogin(login);
    if (user === undefined) problems.nonexistent_usernames.push(login);
    else if (mayRevoke(actor, user.id)) found.push(user);
    else problems.permission_denied_usernames.push(login);
  }
  return found;
}

function allRevoked(user: User): ChangeDetails {
  const message = `Revoked all tokens of the user ${user.login}`;
  return userEvent(user, { action: 'revoke', what: 'tokens', message });
}

function noProblems(): Problems {
  return {
    malformed_tokens: [],
    malformed_ids: [],
    malformed_labels: [],
    malformed_usernames: [],
    nonexistent_usernames: [],
    permission_denied_usernames: [],
    unrecognized_parameters: [],
  };
}

function mayRevoke(actor: Actor, userId: string): boolean {
  return actor.id === userId || actor.permits({ objectType: 'users', action: 'disable', instance: userId });
}

const texts: { readonly [K in keyof Problems]: string } = {
  malformed_tokens: 'These are no tokens',
  malformed_ids: 'There are no tokens with these IDs',
  malformed_labels: 'These are no labels',
  malformed_usernames: 'These are no logins',
  nonexistent_usernames: 'These users do not exist',
  permission_denied_usernames: 'You may not revoke the tokens of these users',
  unrecognized_parameters: 'These parameters are not known',
};

/** Tokens are secrets, also those that are none: they may be half of one. */
function describe(problems: Problems): string {
  return Object.entries(texts)
    .map(([key, text]) => ({ key, text, values: problems[key as keyof Problems] }))
    .filter(({ values }) => values.length > 0)
    .map(
      ({ key, text, values }) =>
        `${text}: ${key === 'malformed_tokens' ? values.length : values.join(', ')}.`,
    )
    .join(' ');
}

function failure(text: string, problems: Problems, hasRevoked: boolean) {
  const end = hasRevoked ? 'All other tokens were successfully revoked.' : 'No tokens were revoked.';
  const isDenied = problems.permission_denied_usernames.length > 0;
  return rbacError(
    isDenied ? 'forbidden' : 'bad-request',
    isDenied ? 'permission-denied' : 'malformed-token-request',
    `${text} ${end}`,
    { ...problems, other_tokens_revoked: hasRevoked },
  );
}
