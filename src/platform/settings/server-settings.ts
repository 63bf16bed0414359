/** Settings of our own. A pure table. */

import { setting } from './setting.ts';
import { boolean, duration, integer, list, oneOf, path, size, text } from './setting-types.ts';

const running = 'Running';
const serving = 'Serving requests';
const authority = 'Certificate authority';
const cluster = 'Compile servers';

export const serverSettings = {
  data: setting({
    name: 'data',
    type: path,
    default: '',
    doc: 'One folder for everything, to try things out: all places below get their defaults inside it.',
    section: running,
  }),
  stateDir: setting({
    name: 'statedir',
    type: path,
    default: '/opt/puppetlabs/server/data/bunraku',
    dataDefault: '$data/state',
    doc: 'Database, outbox and code versions of this server.',
    section: running,
  }),
  configFile: setting({
    name: 'config',
    type: path,
    default: '/etc/puppetlabs/bunraku/bunraku.conf',
    dataDefault: '$data/bunraku.conf',
    doc: 'The configuration file: YAML when its name ends in `.yaml` or `.yml`, else HOCON. It may be missing.',
    section: running,
  }),
  puppetConf: setting({
    name: 'puppet_conf',
    type: path,
    default: '$confdir/puppet.conf',
    doc: 'The `puppet.conf` whose sections `main`, `master` and `server` are read. It may be missing.',
    section: running,
  }),
  logLevel: setting({
    name: 'log_level',
    type: oneOf('error', 'warn', 'info', 'debug'),
    default: 'info',
    doc: 'How much is logged. Read again on SIGHUP.',
    section: running,
  }),
  logFormat: setting({
    name: 'log_format',
    type: oneOf('auto', 'json', 'text'),
    default: 'auto',
    doc: 'Lines of JSON or lines for people; `auto` asks whether a person sits at the terminal.',
    section: running,
  }),
  compileWorkers: setting({
    name: 'compile_workers',
    type: integer(0, 1024),
    default: '0',
    doc: 'Threads that compile catalogs; 0 means one for each core.',
    section: running,
    aliases: ['max_active_instances'],
  }),
  compileTimeoutSeconds: setting({
    name: 'compile_timeout',
    type: duration,
    default: '10m',
    doc: 'After which a compile is given up.',
    section: running,
  }),
  drainTimeoutSeconds: setting({
    name: 'drain_timeout',
    type: duration,
    default: '30s',
    doc: 'How long requests may take to finish after SIGTERM.',
    section: running,
  }),
  listen: setting({
    name: 'listen',
    type: text,
    default: '',
    doc: 'The address that ports are opened on; all addresses when empty.',
    section: serving,
    aliases: ['ssl_host'],
  }),
  authConf: setting({
    name: 'auth_conf',
    type: path,
    default: '/etc/puppetlabs/puppetserver/conf.d/auth.conf',
    dataDefault: '$data/auth.conf',
    doc: "The authorisation rules. Where the file is missing, Puppet Server's own rules hold.",
    section: serving,
  }),
  maxBodyBytes: setting({
    name: 'max_body_size',
    type: size,
    default: '32m',
    doc: 'The largest request body, after decompression.',
    section: serving,
  }),
  headersTimeoutSeconds: setting({
    name: 'headers_timeout',
    type: duration,
    default: '30s',
    doc: 'How long a client may take to send the headers of a request.',
    section: serving,
  }),
  requestTimeoutSeconds: setting({
    name: 'request_timeout',
    type: duration,
    default: '5m',
    doc: 'How long a client may take to send a whole request.',
    section: serving,
  }),
  bodyIdleTimeoutSeconds: setting({
    name: 'body_idle_timeout',
    type: duration,
    default: '30s',
    doc: 'How long a client may pause within a body.',
    section: serving,
  }),
  keepAliveTimeoutSeconds: setting({
    name: 'keep_alive_timeout',
    type: duration,
    default: '30s',
    doc: 'How long an idle connection is kept.',
    section: serving,
    aliases: ['idle_timeout'],
  }),
  puppetVersion: setting({
    name: 'puppet_version',
    type: text,
    default: '7.23.0',
    doc: 'The version that agents are told in `X-Puppet-Version` and manifests in `$serverversion`.',
    section: serving,
  }),
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
  primary: setting({
    name: 'primary',
    type: text,
    default: '',
    doc: 'Where a compile server finds the primary: `HOST` or `HOST:PORT`.',
    section: cluster,
  }),
  compileServers: setting({
    name: 'compile_servers',
    type: list,
    default: '',
    doc: 'Certnames that may fetch code besides certificates with the extension `pp_role` of compile servers.',
    section: cluster,
  }),
  pollIntervalSeconds: setting({
    name: 'poll_interval',
    type: duration,
    default: '5s',
    doc: 'How often a compile server asks for new code, in case that it was not told.',
    section: cluster,
  }),
} as const;
