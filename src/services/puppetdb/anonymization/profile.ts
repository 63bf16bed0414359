/** What each profile of the reference replaces, and what it leaves as it is. */

/** Kinds of data that have rules of their own. */
export type LeafKind =
  | 'node'
  | 'type'
  | 'title'
  | 'parameter-name'
  | 'parameter-value'
  | 'catalog-input-type'
  | 'catalog-input-value'
  | 'text'
  | 'message'
  | 'file'
  | 'line'
  | 'transaction_uuid'
  | 'fact-name'
  | 'fact-value'
  | 'environment';

/** Where a leaf stands. */
export interface LeafContext {
  readonly type?: string | null | undefined;
  readonly factName?: string;
  readonly parameterName?: string | null | undefined;
}

interface Rule {
  /** What of the context has to match one of the patterns; any context does when absent. */
  readonly where?: readonly [part: keyof LeafContext, patterns: readonly (string | RegExp)[]];
  readonly isReplaced: boolean;
}

/** The first rule that fits decides; where none does the leaf is replaced. */
export type Profile = { readonly [K in LeafKind]?: readonly Rule[] };

export function isReplaced(profile: Profile, kind: LeafKind, context: LeafContext): boolean {
  return profile[kind]?.find((rule) => fits(rule, context))?.isReplaced ?? true;
}

function fits({ where }: Rule, context: LeafContext): boolean {
  if (where === undefined) return true;
  const value = context[where[0]];
  if (typeof value !== 'string') return false;
  return where[1].some((pattern) => (typeof pattern === 'string' ? pattern === value : pattern.test(value)));
}

const kept: readonly Rule[] = [{ isReplaced: false }];
const secrets = [/password/, /pwd/, /secret/, /key/, /private/];

const coreTypes =
  'Augeas Computer Cron Exec File Filebucket Group Host Interface K5login Macauthorization Mailalias Mcx Mount ' +
  'Notify Package Resources Router Schedule Schedule_task Selboolean Selmodule Service Ssh_authorized_key Sshkey ' +
  'Stage Tidy User Vlan Yumrepo Zfs Zone Zpool Class Anchor File_line';
const commonTypes = 'Firewall A2mod Vcsrepo Filesystem Logical_volume Physical_volume Volume_group Java_ks';
const typeFamilies = [
  /^Nagios_/,
  /^Pe_/,
  /^Mysql/,
  /^Postgresql/,
  /^Rabbitmq/,
  /^Puppetdb/,
  /^Apache/,
  /^Mrepo/,
  /^F5/,
  /^Apt/,
  /^Registry/,
  /^Concat/,
];

const harmlessFacts =
  'architecture facterversion hardwareisa hardwaremodel id interfaces is_pe is_virtual osfamily productname ps ' +
  'puppetversion rubysitedir rubyversion swapencrypted timezone virtual';
const harmlessFactFamilies = [
  /^augeasversion.*/,
  /^bios_.*/,
  /^blockdevice.*/,
  /^board.*/,
  /^iptables.*/,
  /^ip6tables.*/,
  /^kernel.*/,
  /^lsb.*/,
  /^macosx.*/,
  /^mtu_.*/,
  /^netmask.*/,
  /^operatingsystem.*/,
  /^postgres_.*/,
  /^processor.*/,
  /^physicalprocessorcount.*/,
  /^selinux.*/,
  /^swapfree.*/,
  /^swapsize.*/,
  /^uptime.*/,
];
/** Those whose names say nothing, though their values do. */
const namedFacts = 'domain fqdn hostname memorytotal path uuid';
const namedFactFamilies = [
  /^ipaddress.*/,
  /^macaddress.*/,
  /^memoryfree.*/,
  /^memorysize.*/,
  /^network.*/,
  /^sp_.*/,
  /^ssh.*/,
];

const full: Profile = {};

const moderate: Profile = {
  type: [
    {
      where: ['type', [...coreTypes.split(' '), ...commonTypes.split(' '), ...typeFamilies]],
      isReplaced: false,
    },
  ],
  title: [{ where: ['type', ['Filebucket', 'Package', 'Stage', 'Service']], isReplaced: false }],
  'parameter-name': kept,
  'catalog-input-type': kept,
  line: kept,
  transaction_uuid: kept,
  'fact-name': [
    {
      where: [
        'factName',
        [
          ...harmlessFacts.split(' '),
          ...harmlessFactFamilies,
          ...namedFacts.split(' '),
          ...namedFactFamilies,
        ],
      ],
      isReplaced: false,
    },
  ],
  'fact-value': [
    { where: ['factName', secrets], isReplaced: true },
    {
      where: ['factName', [...harmlessFacts.split(' '), ...harmlessFactFamilies, /^memory.*/]],
      isReplaced: false,
    },
  ],
};

const low: Profile = {
  type: kept,
  title: kept,
  'parameter-name': kept,
  'catalog-input-type': kept,
  line: kept,
  file: kept,
  message: [{ where: ['parameterName', secrets], isReplaced: true }, { isReplaced: false }],
  transaction_uuid: kept,
  'fact-name': kept,
  'fact-value': [{ where: ['factName', secrets], isReplaced: true }, { isReplaced: false }],
  environment: kept,
};

const profiles: ReadonlyMap<string, Profile> = new Map([
  ['full', full],
  ['moderate', moderate],
  ['low', low],
]);

export const noAnonymization = 'none';

export const profileNames: readonly string[] = [...profiles.keys(), noAnonymization];

/** @returns `undefined` for `none`, and for names of none */
export function findProfile(name: string): Profile | undefined {
  return profiles.get(name);
}
