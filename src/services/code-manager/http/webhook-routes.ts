/** `POST /webhook`: deploys what a git host says was pushed. */

import { z } from 'zod';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Author, authorOf } from '../../../platform/changes/index.ts';
import {
  type HttpRequest,
  type HttpResponse,
  type IdentityAccess,
  json,
  type Route,
  requireAccess,
  route,
} from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { findWebhookKind, webhookNames } from '../webhooks/kinds.ts';
import { isProved } from '../webhooks/proof.ts';
import type { Push, WebhookKind } from '../webhooks/push.ts';
import { pushedEnvironments } from '../webhooks/pushed-environments.ts';
import { requireDeployer } from './deployer.ts';
import type { CodeRouteOptions } from './routes.ts';

export interface WebhookOptions {
  /** Whether a token, a certificate or a signature is needed. */
  readonly isAuthenticated: boolean;
  /** What git hosts sign with; none when absent. Read at each request, so that it can be changed. */
  readonly secret: () => Promise<string | undefined>;
  readonly log: Logger;
}

/** Pushes of many commits are long. */
const mostBytes = 25 * 1024 * 1024;

export function webhookRoutes(options: CodeRouteOptions): readonly Route[] {
  // Whether somebody has proved something is known when the body is there, which is signed.
  const anyone: IdentityAccess = { kind: 'anyone' };
  const { allow, webhooks } = options;
  return ['/code-manager/v1/webhook', '/code-manager/v1/webhook/'].map((path) =>
    route({
      method: 'POST',
      path,
      allow: webhooks.isAuthenticated ? { kind: 'any-of', of: [anyone, allow] } : anyone,
      maxBodyBytes: mostBytes,
      handle: (request) => postWebhook(options, request),
    }),
  );
}

async function postWebhook(options: CodeRouteOptions, request: HttpRequest): Promise<HttpResponse> {
  const { manager, webhooks } = options;
  const type = request.query.get('type') ?? '';
  const kind = findWebhookKind(type);
  const body = await request.body();
  const isSigned = await authenticate(options, request, kind, body);
  if (kind === undefined)
    return json(
      {
        kind: 'puppetlabs.code-manager/unrecognized-webhook-type',
        msg: `Unrecognized webhook type: '${type}'`,
        details: `Currently supported valid webhook types include: ${webhookNames()}`,
      },
      400,
    );
  const push = decode(kind, body, request);
  const { sources } = manager.engine.configuration;
  const prefix = request.query.get('prefix') ?? undefined;
  const environments = push === undefined ? [] : pushedEnvironments(push, sources, prefix);
  if (!isSigned) for (const environment of environments) requireDeployer(request.identity, environment);
  webhooks.log.info({ type, environments }, 'webhook');
  if (environments.length > 0)
    void manager.deploy({
      author: isSigned ? webhookAuthor(type, request) : authorOf(request.identity),
      environments,
      deploysModules: true,
      modules: [],
      isValidated: options.isValidated,
      validatedNodes: options.validatedNodes,
    }).ended;
  return json({ status: 'OK' });
}

/** A signature proves the host of the repository, not a person. */
function webhookAuthor(type: string, { identity }: HttpRequest): Author {
  return { kind: 'webhook', id: '', name: `webhook of ${type}`, address: identity.address };
}

/** A wrong proof is never good enough, whatever else is there. @returns whether there is a signature, which is right */
async function authenticate(
  { allow, webhooks }: CodeRouteOptions,
  request: HttpRequest,
  kind: WebhookKind | undefined,
  body: Buffer,
): Promise<boolean> {
  const secret = await webhooks.secret();
  const proved =
    secret === undefined || kind === undefined
      ? undefined
      : isProved(kind.proof, request.headers, body, secret);
  if (proved === false)
    throw new ServiceError('forbidden', 'The signature of the webhook is wrong', {
      kind: 'puppetlabs.code-manager/wrong-signature',
    });
  if (proved !== true && webhooks.isAuthenticated) requireAccess(allow, request.identity);
  return proved === true;
}

function decode(kind: WebhookKind, body: Buffer, request: HttpRequest): Push | undefined {
  try {
    return kind.decode(JSON.parse(textOf(body, request)), request.headers);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw new ServiceError('bad-request', 'The body of the webhook is not what this type of host sends', {
      kind: 'puppetlabs.code-manager/malformed-webhook',
      cause: error,
    });
  }
}

/** Some hosts can send forms, with the JSON in a field. */
function textOf(body: Buffer, { headers }: HttpRequest): string {
  const text = body.toString('utf8');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  // curl calls everything that it is given a form.
  return isForm && !text.trimStart().startsWith('{')
    ? (new URLSearchParams(text).get('payload') ?? '')
    : text;
}
