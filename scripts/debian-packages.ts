/** Programs that come from Debian rather than npm: found, or installed where this user may do so. */

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface DebianPackage {
  /** Debian's name. */
  readonly name: string;
  /** A program or file that is there when the package is. */
  readonly provides: string;
  readonly purpose: string;
}

export const git: DebianPackage = { name: 'git', provides: 'git', purpose: 'transport of code' };
export const haproxy: DebianPackage = { name: 'haproxy', provides: 'haproxy', purpose: 'the load balancer' };
/** Its service is not started. */
export const nginx: DebianPackage = { name: 'nginx', provides: 'nginx', purpose: 'a proxy that ends TLS' };
export const nginxStream: DebianPackage = {
  name: 'libnginx-mod-stream',
  provides: '/usr/lib/nginx/modules/ngx_stream_module.so',
  purpose: 'nginx as a TCP proxy',
};
/** The server without the files of a site; nothing of it is started. */
export const apache: DebianPackage = {
  name: 'apache2-bin',
  provides: 'apache2',
  purpose: 'a proxy that ends TLS',
};
export const puppetAgent: DebianPackage = {
  name: 'puppet-agent',
  provides: 'puppet',
  purpose: 'the real agent',
};
/** Its services are not started. */
export const puppetServer: DebianPackage = {
  name: 'puppetserver',
  provides: '/usr/share/puppetserver/puppetserver.jar',
  purpose: 'the real server and `puppetserver ca`',
};
export const postgres: DebianPackage = {
  name: 'postgresql-15',
  provides: '/usr/lib/postgresql/15/bin/postgres',
  purpose: 'the second database of PuppetDB',
};
/** Its service is not started. */
export const puppetDb: DebianPackage = {
  name: 'puppetdb',
  provides: '/usr/share/puppetdb/puppetdb.jar',
  purpose: 'the real PuppetDB',
};
/** PuppetDB's part of the real Puppet, which the tests let talk to ours. */
export const puppetDbTerminus: DebianPackage = {
  name: 'puppet-terminus-puppetdb',
  provides: '/usr/lib/ruby/vendor_ruby/puppet/util/puppetdb.rb',
  purpose: 'the real client of PuppetDB',
};
const awsCli: DebianPackage = {
  name: 'awscli',
  provides: '/usr/bin/aws',
  purpose: 'a real client of AWS, which judges the fake of AWS',
};
const kubectl: DebianPackage = {
  name: 'kubernetes-client',
  provides: 'kubectl',
  purpose: 'a real client of Kubernetes, which judges the fake of a cluster and the manifests',
};
export const curl: DebianPackage = { name: 'curl', provides: 'curl', purpose: 'recipes of runbooks' };
export const shellcheck: DebianPackage = {
  name: 'shellcheck',
  provides: 'shellcheck',
  purpose: 'checking the install script',
};
/** Programs that the examples of launchers need. */
const jq: DebianPackage = { name: 'jq', provides: 'jq', purpose: 'JSON in scripts of the shell' };
export const gnupg: DebianPackage = {
  name: 'gnupg',
  provides: 'gpg',
  purpose: 'signatures of package repositories',
};
/** Its service is not started. */
export const nsd: DebianPackage = { name: 'nsd', provides: 'nsd', purpose: 'a DNS server for SRV records' };
export const openssl: DebianPackage = {
  name: 'openssl',
  provides: 'openssl',
  purpose: 'checking certificates',
};

export const softhsm: DebianPackage = {
  name: 'softhsm2',
  provides: 'softhsm2-util',
  purpose: 'a PKCS #11 module for keys of the authority',
};
export const opensc: DebianPackage = {
  name: 'opensc',
  provides: 'pkcs11-tool',
  purpose: 'making keys in PKCS #11 modules',
};
export const pkcs11Engine: DebianPackage = {
  name: 'libengine-pkcs11-openssl',
  provides: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/engines-3/pkcs11.so`,
  purpose: 'OpenSSL on PKCS #11 modules',
};

/** Its service is not started. */
export const cron: DebianPackage = { name: 'cron', provides: 'crontab', purpose: 'what agents keep jobs in' };
/** Puppet's Ruby looks up encrypted data with it, which ours is compared with. */
export const hieraEyaml: DebianPackage = {
  name: 'hiera-eyaml',
  provides: 'eyaml',
  purpose: 'comparing encrypted data with it',
};
/** Without it Facter reads all lenses of Augeas at each run: a third of an agent's processor time. */
const augeasTools: DebianPackage = {
  name: 'augeas-tools',
  provides: 'augparse',
  purpose: 'agents that tell the version of Augeas quickly',
};
export const iproute: DebianPackage = {
  name: 'iproute2',
  provides: 'ip',
  purpose: 'hosts of their own in network namespaces',
};
/** Its service is not started. */
const openssh: DebianPackage = {
  name: 'openssh-server',
  provides: '/usr/sbin/sshd',
  purpose: 'nodes that are reached by SSH',
};
/** Not for `npm test`. */
export const fakeTime: DebianPackage = {
  name: 'libfaketime',
  provides: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`,
  purpose: 'clocks that are moved',
};
/** Its service is not started. */
const slapd: DebianPackage = {
  name: 'slapd',
  provides: 'slapd',
  purpose: 'a directory that users log in with',
};
const ldapUtils: DebianPackage = {
  name: 'ldap-utils',
  provides: 'ldapmodify',
  purpose: 'changing what a directory holds',
};
/** Active Directory, of which the tests start LDAP. Not for `npm test`. */
const samba: readonly DebianPackage[] = [
  { name: 'samba', provides: 'samba', purpose: 'a domain controller with users to log in' },
  {
    name: 'samba-ad-provision',
    provides: '/usr/share/samba/setup/provision.ldif',
    purpose: 'making a domain',
  },
  {
    name: 'samba-dsdb-modules',
    provides: '/usr/share/doc/samba-dsdb-modules',
    purpose: 'the database of a domain',
  },
  { name: 'samba-vfs-modules', provides: '/usr/share/doc/samba-vfs-modules', purpose: 'making a domain' },
  { name: 'python3', provides: 'python3', purpose: 'adding thousands of users to a domain' },
  { name: 'python3-samba', provides: '/usr/lib/python3/dist-packages/samba', purpose: 'the same' },
];
/** Not for `npm test`. */
const pysaml: readonly DebianPackage[] = [
  {
    name: 'python3-pysaml2',
    provides: '/usr/lib/python3/dist-packages/saml2',
    purpose: 'a SAML identity provider',
  },
  { name: 'xmlsec1', provides: '/usr/bin/xmlsec1', purpose: 'the same' },
];
/** Its services are not started; its `systemd-analyze` reads units where systemd does not run. */
export const systemd: DebianPackage = {
  name: 'systemd',
  provides: 'systemd-analyze',
  purpose: 'checking the units',
};
export const chromium: DebianPackage = {
  name: 'chromium',
  provides: 'chromium',
  purpose: 'the browser that opens the console',
};
export const rsync: DebianPackage = { name: 'rsync', provides: 'rsync', purpose: 'a way to bring code' };
export const r10k: DebianPackage = { name: 'r10k', provides: 'r10k', purpose: 'comparing deploys with it' };

/** Modules that the recorded fleet of catalogs was compiled with. */
export const fleetModules: readonly DebianPackage[] = [
  'puppetlabs-apache',
  'puppetlabs-apt',
  'puppetlabs-augeas-core',
  'puppetlabs-concat',
  'puppetlabs-cron-core',
  'puppetlabs-firewall',
  'puppetlabs-haproxy',
  'puppetlabs-host-core',
  'puppetlabs-inifile',
  'puppetlabs-mailalias-core',
  'puppetlabs-mount-core',
  'puppetlabs-mysql',
  'puppetlabs-ntp',
  'puppetlabs-postgresql',
  'puppetlabs-rsync',
  'puppetlabs-selinux-core',
  'puppetlabs-sshkeys-core',
  'puppetlabs-stdlib',
  'puppetlabs-translate',
  'puppetlabs-vcsrepo',
  'puppetlabs-xinetd',
  'camptocamp-kmod',
  'camptocamp-systemd',
  'duritong-sysctl',
  'puppet-archive',
  'rodjek-logrotate',
  'saz-rsyslog',
  'saz-ssh',
  'voxpupuli-collectd',
  'voxpupuli-posix-acl',
].map((name) => ({
  name: `puppet-module-${name}`,
  provides: `/usr/share/puppet/modules.available/${name}`,
  purpose: 'modules that the recorded fleet uses',
}));

/**
 * What the tests start or read that Debian has to bring, beyond what each Debian has. Its test looks for
 * programs and files that tests name and no package here installs.
 */
export const testPackages: readonly DebianPackage[] = [
  git,
  openssl,
  curl,
  haproxy,
  nginx,
  nginxStream,
  apache,
  postgres,
  puppetAgent,
  puppetDb,
  puppetDbTerminus,
  puppetServer,
  hieraEyaml,
  augeasTools,
  softhsm,
  opensc,
  pkcs11Engine,
  r10k,
  rsync,
  cron,
  nsd,
  shellcheck,
  jq,
  gnupg,
  iproute,
  openssh,
  slapd,
  ldapUtils,
  systemd,
  chromium,
  awsCli,
  kubectl,
  ...fleetModules,
];

/** What `npm run test:peers` needs besides. */
export const peerPackages: readonly DebianPackage[] = [fakeTime, ...samba, ...pysaml];

export function isPresent(wanted: DebianPackage): boolean {
  if (wanted.provides.startsWith('/')) return existsSync(wanted.provides);
  const directories = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/sbin',
    '/opt/puppetlabs/bin',
  ];
  return directories.some((directory) => isExecutable(join(directory, wanted.provides)));
}

/**
 * Installs what is missing, if this user can.
 *
 * @returns what is missing afterwards
 */
export function ensurePackages(wanted: readonly DebianPackage[]): readonly DebianPackage[] {
  const missing = wanted.filter((entry) => !isPresent(entry));
  if (missing.length === 0 || process.platform !== 'linux' || !isPresent(aptGet)) return missing;
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const names = missing.map((entry) => entry.name);
  process.stderr.write(`Installing Debian packages: ${names.join(' ')}\n`);
  const install = () => apt(prefix, ['install', '-y', '--no-install-recommends', ...names]);
  withoutStartingServices(prefix, () => {
    // Lists of packages may be old or absent: only then is it worth fetching them.
    if (!install() && apt(prefix, ['update'])) install();
  });
  return wanted.filter((entry) => !isPresent(entry));
}

const aptGet: DebianPackage = { name: 'apt', provides: 'apt-get', purpose: 'installing packages' };

/** Where Debian's packages ask whether they may start their services. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/**
 * Packages start their services when they are installed, unless a policy forbids it: ours lasts as long as `work`. One
 * that stays behind, because this process was killed, allows everything and removes itself.
 */
function withoutStartingServices(prefix: readonly string[], work: () => void): void {
  if (existsSync(servicePolicy)) return work();
  const shell = (script: string) => {
    const words: readonly string[] = [...prefix, 'sh', '-c', script];
    spawnSync(words[0] ?? 'sh', words.slice(1), { stdio: 'ignore' });
  };
  const policy = `kill -0 ${process.pid} 2>/dev/null && exit 101\\nrm -f "$0"`;
  shell(`printf '#!/bin/sh\\n${policy}\\n' > ${servicePolicy} && chmod 755 ${servicePolicy}`);
  try {
    work();
  } finally {
    shell(`rm -f ${servicePolicy}`);
  }
}

function apt(prefix: readonly string[], args: readonly string[]): boolean {
  const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', '-qq', ...args];
  const result = spawnSync(command, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status !== 0) process.stderr.write(`${result.stderr ?? ''}\n`);
  return result.status === 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not for us: either way it can't be used
  }
}
