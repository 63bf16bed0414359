/**
 * The rules that a server starts with when there is no `auth.conf`: those that Puppet Server ships, and our own.
 *
 * A pure table. `deny all` at the end only says what holds anyway.
 */

import type { Entry } from './entry.ts';
import { parseNameEntry } from './entry.ts';
import { type PathMatch, pathRegex, type Rule, type RuleAccess, type RuleMethod } from './rule.ts';

const anyone: RuleAccess = { kind: 'unauthenticated' };
const denyAll: RuleAccess = { kind: 'entries', deny: [{ kind: 'anybody' }], allow: [] };
const anyAgent: RuleAccess = allow({ kind: 'anybody' });
const itself: RuleAccess = allow(parseNameEntry('$1') ?? { kind: 'anybody' });
const caCommand: RuleAccess = allow({ kind: 'extensions', required: new Map([['pp_cli_auth', ['true']]]) });

export const defaultRules: readonly Rule[] = [
  shipped(
    'puppetlabs v3 catalog from agents',
    regex('^/puppet/v3/catalog/([^/]+)$'),
    ['get', 'post'],
    itself,
  ),
  shipped('puppetlabs v4 catalog for services', regex('^/puppet/v4/catalog/?$'), ['post'], denyAll),
  shipped('puppetlabs certificate', prefix('/puppet-ca/v1/certificate/'), ['get'], anyone),
  shipped('puppetlabs crl', prefix('/puppet-ca/v1/certificate_revocation_list/ca'), ['get'], anyone),
  shipped('puppetlabs csr', prefix('/puppet-ca/v1/certificate_request'), ['get', 'put'], anyone),
  shipped(
    'puppetlabs cert status',
    prefix('/puppet-ca/v1/certificate_status'),
    ['get', 'put', 'delete'],
    caCommand,
  ),
  shipped('puppetlabs CRL update', regex('^/puppet-ca/v1/certificate_revocation_list$'), ['put'], caCommand),
  shipped('puppetlabs cert statuses', prefix('/puppet-ca/v1/certificate_statuses'), ['get'], caCommand),
  shipped('puppetlabs CA cert and CRL expirations', prefix('/puppet-ca/v1/expirations'), ['get'], anyAgent),
  shipped('puppetlabs cert clean', prefix('/puppet-ca/v1/clean'), ['put'], caCommand),
  // From here on what Puppet Server 8 added.
  shipped('puppetlabs certificate renewal', prefix('/puppet-ca/v1/certificate_renewal'), ['post'], anyAgent),
  shipped('puppetlabs cert sign', prefix('/puppet-ca/v1/sign'), ['post'], caCommand),
  shipped('puppetlabs cert sign all', prefix('/puppet-ca/v1/sign/all'), ['post'], caCommand),
  shipped(
    'primary can clean cache after code deploy',
    prefix('/puppet-admin-api/v1/environment-cache'),
    ['delete'],
    caCommand,
  ),
  shipped('puppetlabs status service - full', prefix('/status/v1/services'), ['get'], anyone),
  shipped('puppetlabs status service - simple', prefix('/status/v1/simple'), ['get'], anyone),
  shipped('puppetlabs environments', prefix('/puppet/v3/environments'), ['get'], anyAgent),
  shipped(
    'puppetlabs file bucket file',
    prefix('/puppet/v3/file_bucket_file'),
    ['head', 'post', 'put'],
    anyAgent,
  ),
  // Backups of other nodes hold their secrets: agents put them and ask whether one is there.
  shipped('puppetlabs file bucket file content', prefix('/puppet/v3/file_bucket_file'), ['get'], caCommand),
  shipped('puppetlabs file content', prefix('/puppet/v3/file_content'), ['get', 'post'], anyAgent),
  shipped('puppetlabs file metadata', prefix('/puppet/v3/file_metadata'), ['get', 'post'], anyAgent),
  shipped('puppetlabs node', regex('^/puppet/v3/node/([^/]+)$'), ['get'], itself),
  shipped('puppetlabs report', regex('^/puppet/v3/report/([^/]+)$'), ['put'], itself),
  shipped('puppetlabs facts', regex('^/puppet/v3/facts/([^/]+)$'), ['put'], itself),
  shipped('puppetlabs static file content', prefix('/puppet/v3/static_file_content'), ['get'], anyAgent),
  shipped('puppet tasks information', prefix('/puppet/v3/tasks'), undefined, anyAgent),
  shipped('bunraku metrics', regex('^/metrics$'), ['get', 'head'], anyAgent),
  { name: 'puppetlabs deny all', sortOrder: 999, path: prefix('/'), access: denyAll },
];

function shipped(
  name: string,
  path: PathMatch,
  methods: readonly RuleMethod[] | undefined,
  access: RuleAccess,
): Rule {
  return { name, sortOrder: 500, path, access, ...(methods === undefined ? {} : { methods }) };
}

function prefix(text: string): PathMatch {
  return { kind: 'path', prefix: text };
}

function regex(source: string): PathMatch {
  return pathRegex(source);
}

function allow(entry: Entry): RuleAccess {
  return { kind: 'entries', deny: [], allow: [entry] };
}
