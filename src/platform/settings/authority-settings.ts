/** Settings of the certificate authority that Puppet keeps elsewhere than in `puppet.conf`, or does not have. A pure table. */

import { setting } from './setting.ts';
import { boolean, duration, integer, path, text } from './setting-types.ts';

const authority = 'Certificate authority';

export const authoritySettings = {
  allowSubjectAltNames: setting({
    name: 'allow_subject_alt_names',
    type: boolean,
    default: 'false',
    doc: 'Whether requests with alternative names may be signed without saying so.',
    section: authority,
  }),
  allowAuthorizationExtensions: setting({
    name: 'allow_authorization_extensions',
    type: boolean,
    default: 'false',
    doc: 'Whether requests with authorisation extensions may be signed without saying so.',
    section: authority,
  }),
  allowAutoRenewal: setting({
    name: 'allow_auto_renewal',
    type: boolean,
    default: 'false',
    doc: 'Whether agents may renew their certificates; those that can then get short-lived ones.',
    section: authority,
  }),
  autoRenewalTtlSeconds: setting({
    name: 'auto_renewal_cert_ttl',
    type: duration,
    default: '90d',
    doc: 'How long the certificate of an agent that renews is valid.',
    section: authority,
  }),
  enableInfraCrl: setting({
    name: 'enable_infra_crl',
    type: boolean,
    default: 'false',
    doc: 'Whether agents get the list of revoked infrastructure nodes (`infra_crl.pem`) instead of the whole.',
    section: authority,
  }),
  signingPolicy: setting({
    name: 'signing_policy',
    type: text,
    default: '',
    doc: 'A file of rules that sign, hold or refuse certificate requests, asked before `autosign`.',
    section: authority,
  }),
  caSigningCommand: setting({
    name: 'ca_signing_command',
    type: text,
    default: '',
    doc: 'Signs instead of `ca_key.pem`: a program and its arguments, which gets a digest and signs its input.',
    section: authority,
  }),
  caSignerSocket: setting({
    name: 'ca_signer_socket',
    type: text,
    default: '',
    doc: 'The socket of `bunraku ca signer`, which has the key and runs as another user; without it the server starts a signing process under its own user.',
    section: authority,
  }),
  caMaxPendingRequests: setting({
    name: 'ca_max_pending_requests',
    type: integer(1, 1_000_000),
    default: '10000',
    doc: 'How many certificate requests may wait; more are refused.',
    section: authority,
  }),
  caConf: setting({
    name: 'ca_conf',
    type: path,
    default: '/etc/puppetlabs/puppetserver/conf.d/ca.conf',
    dataDefault: '$data/ca.conf',
    doc: "Puppet Server's settings of the certificate authority, which apply if the file exists.",
    section: authority,
  }),
  caCfg: setting({
    name: 'ca_cfg',
    type: path,
    default: '/etc/puppetlabs/puppetserver/services.d/ca.cfg',
    dataDefault: '$data/ca.cfg',
    doc: "Puppet Server's choice between a server with and one without a certificate authority: `certificate-authority-disabled-service` in it means `ca = false`. It may be missing.",
    section: authority,
  }),
} as const;
