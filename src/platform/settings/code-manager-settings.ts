/** Settings of the code manager. A pure table. */

import { setting } from './setting.ts';
import { boolean, duration, integer, list, path } from './setting-types.ts';

const section = 'Code manager';

export const codeManagerSettings = {
  codeManagerConfig: setting({
    name: 'code_manager_config',
    type: path,
    default: '/etc/puppetlabs/r10k/r10k.yaml',
    dataDefault: '$data/r10k.yaml',
    doc: 'The `r10k.yaml` that names control repositories. Where the file is missing, the primary deploys nothing itself.',
    section,
  }),
  codeManagerPort: setting({
    name: 'code_manager_port',
    type: integer(0, 65_535),
    default: '8170',
    doc: "The port of the primary's code manager; 0 for none.",
    section,
  }),
  codeManagerAllowlist: setting({
    name: 'code_manager_certificate_allowlist',
    type: list,
    default: '',
    doc: "Certnames that may deploy, besides the primary's own and certificates with the extension `pp_cli_auth`.",
    section,
  }),
  codeManagerAuthenticateWebhook: setting({
    name: 'code_manager_authenticate_webhook',
    type: boolean,
    default: 'true',
    doc: 'Whether webhooks need a token, a certificate or a signature.',
    section,
    aliases: ['authenticate_webhook'],
  }),
  codeManagerWebhookSecretFile: setting({
    name: 'code_manager_webhook_secret_file',
    type: path,
    default: '/etc/puppetlabs/bunraku/webhook-secret',
    dataDefault: '$data/webhook-secret',
    doc: 'A file with the secret with which git hosts sign webhooks. Where it is missing, only tokens and certificates count.',
    section,
  }),
  codeManagerDeployPoolSize: setting({
    name: 'code_manager_deploy_pool_size',
    type: integer(1, 64),
    default: '2',
    doc: 'How many environments are deployed at the same time.',
    section,
    aliases: ['deploy_pool_size'],
  }),
  codeManagerDeployTimeoutSeconds: setting({
    name: 'code_manager_timeouts_deploy',
    type: duration,
    default: '10m',
    doc: 'How long the deploy of one environment may take.',
    section,
    aliases: ['timeouts_deploy'],
  }),
  codeManagerFetchTimeoutSeconds: setting({
    name: 'code_manager_timeouts_fetch',
    type: duration,
    default: '30s',
    doc: 'How long a git host may send nothing before a deploy gives it up.',
    section,
    aliases: ['timeouts_fetch'],
  }),
  codeManagerSyncTimeoutSeconds: setting({
    name: 'code_manager_timeouts_sync',
    type: duration,
    default: '1m',
    doc: 'How long servers may take to serve what was deployed.',
    section,
    aliases: ['timeouts_sync'],
  }),
  codeManagerDeployTtlSeconds: setting({
    name: 'code_manager_deploy_ttl',
    type: duration,
    default: '1h',
    doc: 'How long the status shows deploys that have ended.',
    section,
    aliases: ['deploy_ttl'],
  }),
  codeManagerValidate: setting({
    name: 'code_manager_validate',
    type: boolean,
    default: 'false',
    doc: 'Whether deploys are validated before they are served, those of webhooks too: syntax, and the catalogs below.',
    section,
  }),
  codeManagerValidateNodes: setting({
    name: 'code_manager_validate_nodes',
    type: list,
    default: '',
    doc: 'Certnames whose catalogs must compile, with the facts that they sent last, before code is served.',
    section,
  }),
} as const;
