/** What every request to an indirection carries: an environment, a key, options. */

import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest } from '../http/index.ts';

/**
 * The parameter `environment`, which need not exist.
 *
 * @throws ServiceError `bad-request` when it is missing or cannot be a name
 */
export function environmentParameter(query: Pick<URLSearchParams, 'get'>): string {
  const name = query.get('environment');
  if (name === null) throw new ServiceError('bad-request', 'An environment parameter must be specified');
  if (!/^\w+$/.test(name)) {
    throw new ServiceError('bad-request', `The environment must be purely alphanumeric, not '${name}'`);
  }
  return name;
}

/** @throws ServiceError as `environmentParameter`, and `not-found` when the environment is not served */
export function requireEnvironment(query: Pick<URLSearchParams, 'get'>, environments: Environments): string {
  const name = environmentParameter(query);
  if (!environments.hasEnvironment(name)) throw unknownEnvironment(name);
  return name;
}

interface Environments {
  hasEnvironment(name: string): boolean;
}

/** What a request for an environment that is not there gets. */
export function unknownEnvironment(name: string): ServiceError {
  return new ServiceError('not-found', `Could not find environment '${name}'`);
}

/**
 * What follows the indirection's name in the path, repeated slashes made one.
 *
 * @throws ServiceError `bad-request` when there is nothing
 */
export function requestKey(request: HttpRequest): string {
  const key = (request.params['*'] ?? '').replace(/\/{2,}/g, '/').replace(/^\//, '');
  if (key === '') throw new ServiceError('bad-request', `No request key specified in ${request.path}`);
  return key;
}
