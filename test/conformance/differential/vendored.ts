/** Families of snippets: resources of the types that come with Puppet's packages (`cron`, `host`, ...). */

import type { Family } from './expressions.ts';
import type { Random } from './random.ts';
import { argument, scalar } from './values.ts';

/** Attributes with what people write there. Key attributes and `ensure` come with chances of their own. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  augeas: [
    "context => '/files/etc/ssh/sshd_config'",
    "changes => ['set PermitRootLogin no', 'rm Port']",
    "onlyif => 'match Port size > 0'",
    "lens => 'Sshd.lns'",
    "incl => '/etc/x'",
    'show_diff => false',
    'returns => 1',
  ],
  cron: [
    "command => '/bin/true'",
    'user => root',
    'minute => [0, 30]',
    "minute => '*/5'",
    'minute => 99',
    'hour => {a => 1}',
    "weekday => 'monday'",
    'monthday => 31',
    "month => ['January', 2]",
    "special => 'reboot'",
    "environment => ['PATH=/bin', 'A=b']",
    "target => 'u'",
  ],
  host: [
    "ip => '192.0.2.1'",
    "ip => 'bad'",
    "host_aliases => ['a', 'b']",
    "comment => 'c'",
    "target => '/t'",
  ],
  mount: [
    "device => '/dev/sda1'",
    "fstype => 'ext4'",
    "options => 'ro,noatime'",
    "options => ''",
    'pass => 2',
    'dump => 0',
    'atboot => true',
    'remounts => false',
    "blockdevice => 'x'",
    "target => '/etc/fstab'",
  ],
  scheduled_task: [
    "command => 'C:\\\\a.exe'",
    "arguments => '/x'",
    'enabled => true',
    "trigger => {schedule => daily, start_time => '08:00'}",
    "trigger => [{schedule => once, start_time => '08:00', start_date => '2030-01-01'}]",
    "password => Sensitive('secret')",
    'compatibility => 2',
    "working_dir => 'C:\\\\'",
    "user => 'system'",
  ],
  selboolean: ['value => on', 'value => true', 'persistent => true', 'value => maybe'],
  selmodule: ["selmoduledir => '/d'", "selmodulepath => 'rel'", 'syncversion => true'],
  ssh_authorized_key: [
    'user => root',
    "type => 'ssh-rsa'",
    "type => 'ed25519'",
    "key => 'AAAA'",
    "key => 'A B'",
    "options => ['no-pty', 'from=\"a\"']",
    "target => '/k'",
    'drop_privileges => false',
  ],
  sshkey: [
    "type => 'rsa'",
    "type => 'ssh-dss'",
    "key => 'AAAA'",
    "host_aliases => ['a', 'b']",
    "target => '/k'",
  ],
  yumrepo: [
    "descr => 'D'",
    "baseurl => 'http://r/'",
    'enabled => 1',
    'enabled => true',
    'gpgcheck => absent',
    "gpgkey => 'file:///k'",
    "exclude => 'a b'",
    "metadata_expire => '6h'",
    "password => Sensitive('p')",
    'priority => 10',
    "target => '/r'",
    "proxy => '_none_'",
  ],
  zfs: ["mountpoint => '/m'", "compression => 'on'", "quota => '1G'", "atime => 'off'", "volsize => '1G'"],
  zone: [
    "path => '/z'",
    "ip => ['a:1.2.3.4']",
    'iptype => shared',
    'autoboot => true',
    'shares => 10',
    "inherit => '/a'",
    "dataset => 'p/d'",
    'id => 3',
    "clone => 'c'",
    "create_args => '-b'",
    "realhostname => 'r'",
  ],
  zpool: [
    "disk => 'd0'",
    "mirror => ['a b']",
    "raidz => 'a b'",
    'raid_parity => raidz1',
    "spare => 's'",
    "ashift => '12'",
  ],
};

const TITLES = [
  "'a'",
  "'a b'",
  "'/'",
  "'/mnt/a'",
  "'/mnt/a/'",
  "'a@rsa'",
  "'a@ssh-rsa'",
  "'a@b@c'",
  "'@rsa'",
  "'a@'",
  "'tank/fs'",
  "['a', 'b']",
  '"a\\nb"',
  '"a@rsa\\nb"',
  "''",
  "'main'",
  "'Ä'",
  '5',
  'undef',
  "['a', 'a']",
];
const KEYS = ['name', 'pool', 'type', 'command', 'user', 'path', 'title', 'provider', 'id'];
const METAPARAMETERS = [
  "tag => 't'",
  'noop => true',
  "alias => 'al'",
  "require => Notify['n']",
  "before => Cron['a']",
];

function attribute(random: Random, type: string): string {
  const chance = random.below(100);
  if (chance < 55) return random.pick(TYPES[type] ?? []);
  if (chance < 68)
    return `ensure => ${random.pick(['present', 'absent', 'mounted', 'purged', "'1'", 'undef'])}`;
  if (chance < 80)
    return `${random.pick(KEYS)} => ${random.pick(["'a'", "'b'", "'rsa'", "'ssh-rsa'", 'undef', '7', scalar(random)])}`;
  if (chance < 88) return random.pick(METAPARAMETERS);
  if (chance < 94) return `${random.pick(['nosuch', 'retries', 'options', 'value'])} => ${argument(random)}`;
  return random.pick(['* => {noop => true}', "* => {'nosuch' => 1}"]);
}

function attributes(random: Random, type: string): string {
  const seen = new Set<string>();
  return random
    .some(0, 4, () => attribute(random, type))
    .filter((each) => {
      const name = /\S+/.exec(each)?.[0] ?? '';
      // One of the same name twice is the parser's business, and is wanted only now and then.
      if (seen.has(name) && !random.chance(5)) return false;
      seen.add(name);
      return true;
    })
    .join(', ');
}

function declaration(random: Random, type: string): string {
  const name = random.pick([type, type, type, type, `::${type}`, capitalised(type), `@${type}`, `@@${type}`]);
  return /^[A-Z]/.test(name)
    ? `${name} { ${attributes(random, type)} }`
    : `${name} { ${random.pick(TITLES)}: ${attributes(random, type)} }`;
}

function capitalised(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}

function vendored(random: Random): string {
  const type = random.pick(Object.keys(TYPES));
  const name = capitalised(type);
  const title = (): string => random.pick(TITLES);
  const makers: readonly (() => string)[] = [
    () => declaration(random, type),
    () => declaration(random, type),
    () => declaration(random, type),
    () => declaration(random, random.pick(Object.keys(TYPES))),
    () =>
      `${name}<| ${random.pick(['', `title == ${title()}`, "name == 'a'", "tag == 't'", 'ensure != absent'])} |>${random.pick(['', ` { ${attributes(random, type)} }`])}`,
    () => `${name}[${title()}] { ${attributes(random, type)} }`,
    () => `notice(${name}[${title()}][${random.pick(['name', 'ensure', 'type', 'user', 'nosuch'])}])`,
    () =>
      `notice(defined(${name}), defined(${type}), defined(${name}[${title()}]), ${name}, type(${name}[${title()}]))`,
    () => `realize(${name}[${title()}])`,
    () => `create_resources('${type}', {${title()} => {${attributes(random, type)}}})`,
    () => `${type} { default: ${attributes(random, type)}; ${title()}: }`,
    () => `notify { 'n': require => ${name}[${title()}] }`,
    () => `${name}[${title()}] ${random.pick(['->', '~>'])} notify { 'm': }`,
    () => `resources { '${type}': purge => ${random.pick(['true', 'false'])} }`,
    () => `schedule { 'daily': }`,
  ];
  return random.some(1, 3, () => random.pick(makers)()).join('\n');
}

export const vendoredFamilies: Readonly<Record<string, Family>> = { vendored };
