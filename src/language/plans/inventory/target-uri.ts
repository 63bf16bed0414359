/** The parts of a target's address: `ssh://user:password@host:22`, or just a name. */

import { PlanError } from '../plan-error.ts';

export interface TargetUri {
  readonly scheme: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** Without the password. */
  readonly shown: string;
}

const URI = /^(?:([A-Za-z][\w+.-]*):\/\/)?(?:([^@/:]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/;

/** @throws PlanError for an empty address */
export function parseTargetUri(uri: string): TargetUri {
  if (uri === '') throw PlanError.of('bolt/parse-error', 'Could not parse target URI: URI is empty string');
  const [, scheme, user, password, host, port] = URI.exec(uri) ?? [];
  return {
    scheme,
    user: user === undefined ? undefined : decodeURIComponent(user),
    password: password === undefined ? undefined : decodeURIComponent(password),
    host: host === '' ? undefined : host,
    port: port === undefined ? undefined : Number(port),
    shown: password === undefined ? uri : uri.replace(`:${password}@`, '@'),
  };
}
