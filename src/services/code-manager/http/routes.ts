/** `/code-manager/v1/*`: deploys, their status, webhooks, the way back. */

import { ServiceError } from '../../../lib/service-error.ts';
import { authorOf } from '../../../platform/changes/index.ts';
import {
  type HttpRequest,
  type HttpResponse,
  type IdentityAccess,
  json,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import {
  CodeStatusWire,
  type CodeVersion,
  DeploysAnswerWire,
  type KnownBranch,
  type RolledBack,
  RolledBackWire,
  VersionsWire,
} from '../answers/wire.ts';
import type { CodeManager } from '../code-manager.ts';
import type { DeployRequest } from '../deploy/deploy-request.ts';
import { signatureIn } from '../deploy/deploy-signature.ts';
import { withoutCredentials } from '../git/git-access.ts';
import { requireDeployer } from './deployer.ts';
import { statusDocument } from './status-document.ts';
import { type WebhookOptions, webhookRoutes } from './webhook-routes.ts';
import { DeploysWire, decodeBody, encodeDeploy, RollbackWire } from './wire.ts';

export interface CodeRouteOptions {
  readonly manager: CodeManager;
  /** Who may deploy something; which environments is asked of users when they name them. */
  readonly allow: IdentityAccess;
  /** Whether deploys are validated that do not say so, and with which nodes. */
  readonly isValidated: boolean;
  readonly validatedNodes: readonly string[];
  readonly webhooks: WebhookOptions;
}

const base = '/code-manager/v1';
/** Names of thousands of environments. Larger bodies would keep the main thread busy for longer than 50 ms. */
const maxBodyBytes = 1024 * 1024;

export function codeManagerRoutes(options: CodeRouteOptions): readonly Route[] {
  const { allow, manager } = options;
  return [
    route({
      method: 'POST',
      path: `${base}/deploys`,
      allow,
      shapes: { body: DeploysWire, answer: DeploysAnswerWire },
      maxBodyBytes,
      handle: (request) => postDeploys(options, request),
    }),
    route({
      method: 'GET',
      path: `${base}/deploys/status`,
      allow,
      shapes: { answer: CodeStatusWire },
      handle: () => json(statusDocument(manager.deploys(), manager.storage)),
    }),
    route({
      method: 'POST',
      path: `${base}/rollback`,
      allow,
      shapes: { body: RollbackWire, answer: RolledBackWire },
      maxBodyBytes,
      handle: (request) => postRollback(manager, request),
    }),
    route({
      method: 'GET',
      path: `${base}/environments/:environment/versions`,
      allow,
      shapes: { answer: VersionsWire },
      handle: (request) => getVersions(manager, request),
    }),
    ...webhookRoutes(options),
  ];
}

async function postDeploys(options: CodeRouteOptions, request: HttpRequest): Promise<HttpResponse> {
  const { manager } = options;
  const wire = decodeBody(DeploysWire, await request.body());
  const isAll = wire['deploy-all'] || wire['dry-run'];
  if (!isAll && wire.environments === undefined)
    throw new ServiceError('bad-request', 'Either `environments` or `deploy-all` must be specified', {
      kind: 'puppetlabs.code-manager/schema-violation',
    });
  if (wire['dry-run']) return await dryRun(manager, request);
  const environments = wire['deploy-all']
    ? await allEnvironments(manager, request.signal)
    : (wire.environments ?? []);
  for (const environment of environments) requireDeployer(request.identity, environment);
  const deploy: DeployRequest = {
    author: authorOf(request.identity),
    environments,
    deploysModules: wire['deploy-modules'],
    modules: wire.modules,
    isValidated: wire.validate ?? options.isValidated,
    validatedNodes: wire['validate-nodes'] ?? options.validatedNodes,
    purgesUsed: wire['purge-in-use'],
  };
  const { ended, queued } = manager.deploy(deploy);
  const deploys = wire.wait ? await ended : queued;
  return json(deploys.map(encodeDeploy));
}

async function allEnvironments(manager: CodeManager, signal: AbortSignal): Promise<readonly string[]> {
  const { environments, failures } = await manager.list(signal);
  if (environments.length > 0 || failures.length === 0) return environments.map(({ name }) => name);
  throw new ServiceError('bad-gateway', failures.map(({ error }) => error.message).join('\n'), {
    kind: 'puppetlabs.code-manager/fetch-failure',
  });
}

/** The environments of each source, or why it could not be asked. */
async function dryRun(manager: CodeManager, request: HttpRequest): Promise<HttpResponse> {
  const { collisions, environments, failures } = await manager.list(request.signal);
  const branches: readonly KnownBranch[] = [
    ...environments.map(({ content, name, source }) => ({
      environment: name,
      source,
      ...(content.kind === 'git'
        ? { remote: withoutCredentials(content.remote), ref: content.ref }
        : { type: content.kind }),
      ...(collisions.has(name) ? { error: { msg: collisions.get(name) ?? '' } } : {}),
    })),
    ...failures.map(({ error, source }) => ({
      source,
      error: { kind: 'puppetlabs.code-manager/fetch-failure', msg: error.message },
    })),
  ];
  return json(branches);
}

async function postRollback(manager: CodeManager, request: HttpRequest): Promise<HttpResponse> {
  const wire = decodeBody(RollbackWire, await request.body());
  requireDeployer(request.identity, wire.environment);
  const { commit, environment, isServed, signature } = await manager.rollBack(
    wire.environment,
    wire.commit,
    authorOf(request.identity),
    request.signal,
  );
  return json({
    environment,
    'deploy-signature': signature ?? null,
    'file-sync': { 'environment-commit': commit },
    'all-synced': isServed,
  } satisfies RolledBack);
}

function getVersions({ storage }: CodeManager, { params }: HttpRequest): HttpResponse {
  const environment = params['environment'] ?? '';
  const history = storage.history(environment);
  if (history.length === 0)
    throw new ServiceError('not-found', `There is no environment '${environment}'`, {
      kind: 'puppetlabs.code-manager/unknown-environment',
    });
  const current = storage.current()[environment];
  return json(
    history.map(
      ({ date, id, message }): CodeVersion => ({
        commit: id,
        date: date.toISOString(),
        'deploy-signature': signatureIn(message) ?? null,
        'is-current': id === current,
      }),
    ),
  );
}
