/** Settings of users and tokens. A pure table. */

import { setting } from './setting.ts';
import { duration, integer, list, path, portOrAuto, text } from './setting-types.ts';

const section = 'Users and tokens';

export const rbacSettings = {
  consoleServicesPort: setting({
    name: 'console_services_port',
    type: portOrAuto,
    default: 'auto',
    doc: "The port of the primary's APIs for users and tokens (`/rbac-api`), for the record of changes (`/activity-api`) and, where `node_terminus` is `classifier`, for groups of nodes (`/classifier-api`); 0 for none. `auto` is 4433 where the primary itself listens on 8140.",
    section,
    aliases: ['classifier_port'],
  }),
  rbacCertificateAllowlist: setting({
    name: 'rbac_certificate_allowlist',
    type: list,
    default: '',
    doc: 'Certnames that may do everything with users, tokens and groups of nodes, besides certificates with the extension `pp_cli_auth`.',
    section,
    aliases: ['rbac_certificate_whitelist'],
  }),
  rbacTokenLifetimeSeconds: setting({
    name: 'rbac_token_auth_lifetime',
    type: duration,
    default: '1h',
    doc: 'The lifetime of a token when the login does not ask for one.',
    section,
  }),
  rbacTokenMaximumLifetimeSeconds: setting({
    name: 'rbac_token_maximum_lifetime',
    type: duration,
    default: '10y',
    doc: 'How long a token may last.',
    section,
  }),
  rbacFailedAttemptsLockout: setting({
    name: 'rbac_failed_attempts_lockout',
    type: integer(1, 1_000_000),
    default: '10',
    doc: 'After how many wrong passwords in a row a user is revoked.',
    section,
    aliases: ['failed_attempts_lockout'],
  }),
  rbacDirectoryTrustChain: setting({
    name: 'rbac_ds_trust_chain',
    type: path,
    default: '',
    doc: 'A file of certificates in PEM that directories (LDAP) are checked with; the authorities of the operating system when empty.',
    section,
    aliases: ['ds_trust_chain'],
  }),
  rbacDirectoryRefreshSeconds: setting({
    name: 'rbac_directory_refresh',
    type: duration,
    default: '5m',
    doc: 'How old the answer of a directory about a user may be when a token is shown; then the directory is asked again.',
    section,
  }),
  rbacDirectoryGraceSeconds: setting({
    name: 'rbac_directory_grace',
    type: duration,
    default: '1h',
    doc: 'How old that answer may be while the directory cannot be reached.',
    section,
  }),
  activityRetentionSeconds: setting({
    name: 'activity_retention',
    type: duration,
    default: '400d',
    doc: 'How long the record of who changed what (`/activity-api`) is kept; 0 keeps everything.',
    section,
  }),
  activityLog: setting({
    name: 'activity_log',
    type: path,
    default: '',
    doc: 'A file that gets a line of JSON for each change that is recorded (`/activity-api`), as it happens; none when empty.',
    section,
  }),
  activitySyslog: setting({
    name: 'activity_syslog',
    type: text,
    default: '',
    doc: 'A syslog server that gets each change that is recorded, as it happens: `tcp://siem.example.com:601` or `udp://siem.example.com:514`; none when empty.',
    section,
  }),
} as const;
