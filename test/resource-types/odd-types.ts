/** Resource types as people write them on odd days, each with code that declares resources of it. */

export interface OddType {
  readonly name: string;
  /** By path below the module. */
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
}

type Random = () => number;

/** @param random - 0 to 1 */
export function oddType(name: string, random: Random): OddType {
  const isResourceApi = random() < 0.2;
  const shape = isResourceApi ? resourceApi(name, random) : classic(name, random);
  return {
    name,
    files: { [`lib/puppet/type/${name}.rb`]: shape.text, ...shape.files },
    code: declarations(name, shape.attributes, random),
  };
}

interface Shape {
  readonly text: string;
  readonly attributes: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

function some<T>(random: Random, items: readonly T[], share: number): readonly T[] {
  return items.filter(() => random() < share);
}

const NAMES = ['alpha', 'beta', 'gamma', 'delta'];

function classic(name: string, random: Random): Shape {
  const keys = pick(random, [
    ['name'],
    ['alpha'],
    ['name', 'alpha'],
    ['alpha', 'beta'],
    ['alpha', 'beta', 'gamma'],
    [],
  ]);
  const others = NAMES.filter((attribute) => !keys.includes(attribute));
  const made = others.map((attribute) => attributeText(attribute, random));
  const lines = [
    ...keys.map((key) => keyText(key, random)),
    ...made,
    ...some(random, ODD_LINES, 0.15),
    ...some(random, BROKEN_LINES, 0.015),
    pick(random, ISOMORPHIC),
    patternText(keys, random),
    ...some(random, ['ensurable', 'ensurable do\n newvalue(:present)\n newvalue(:gone)\nend'], 0.2).slice(
      0,
      1,
    ),
  ];
  const body = lines.filter((line) => line !== '').join('\n');
  const text = pick(random, [
    `Puppet::Type.newtype(:${name}) do\n${body}\nend\n`,
    `module Puppet\n newtype = Type.newtype('${name}') do\n@doc = 'x'\n${body}\nend\nend\n`,
    `type = Puppet::Type.newtype(:${name}, :self_refresh => true) { desc 'x' }\ntype.class_eval do\n${body}\nend\n`,
  ]);
  return { text, attributes: [...keys, ...others], files: providerFiles(name, random) };
}

function keyText(key: string, random: Random): string {
  if (key === 'name')
    return pick(random, ["newparam(:name) { desc 'x' }", 'newparam(:name, :namevar => true)']);
  return pick(random, [
    `newparam(:${key}, :namevar => true)`,
    `newparam(:${key}) do\n isnamevar\n munge { |v| v.to_s.downcase }\nend`,
    `newparam('${key}') { send(:isnamevar) }`,
    `newparam(:${key})\nattrclass(:${key}).isnamevar`,
  ]);
}

function attributeText(name: string, random: Random): string {
  return pick(random, [
    `newproperty(:${name})`,
    `newparam(:${name}, :boolean => true, :parent => Puppet::Parameter::Boolean)`.replace(
      /^/,
      "require 'puppet/parameter/boolean'\n",
    ),
    `newproperty(:${name}, :array_matching => :all) { defaultto [] }`,
    `[:${name}].each { |n| newproperty(n) { newvalues(:a, :b) } }`,
    `send(:newparam, '${name}'.to_sym)`,
    `eval "newproperty(:${name})"`,
    `newproperty(:${name}) if Dir.exist?('/usr')`,
    `newparam(:${name}) unless File.exist?('/nowhere')`,
    `File.basename(__FILE__) =~ /rb$/ ? newparam(:${name}) : newproperty(:${name})`,
    `%w[${name.toUpperCase()}].map(&:downcase).each { |n| newparam(n) }`,
    `instance_exec { newparam(:${name}) }`,
    `{ '${name}' => 1 }.each_pair { |n, _| method(:newproperty).call(n.to_sym) }`,
    `Struct.new(:n).new(:${name}).tap { |s| newparam(s.n) }`,
    `newparam(ENV.fetch('NO_SUCH_VARIABLE', '${name}').to_sym)`,
    '',
  ]);
}

const ODD_LINES = [
  "feature :fast, 'is fast', :methods => [:go]",
  'autorequire(:file) { self[:alpha] }',
  'newparam(:name2) { aliasvalue(:a, :b) rescue nil }',
  "raise Puppet::Error, 'not here' if ENV['NO_SUCH_VARIABLE']",
  'def self.helper; 1; end',
  'newproperty(:late) if helper == 1 rescue nil',
  "validate { fail 'no' if self[:alpha].nil? }",
  "newparam(:'a-b') rescue nil",
  'def exists?; true; end; def create; end; def destroy; end',
  'include(Module.new { def self.included(base); base.newparam(:mixed); end })',
];

/** What ends in an error. */
const BROKEN_LINES = [
  'newproperty(:alpha)',
  'newparam(:beta)',
  "fail 'this type is broken'",
  'nowhere',
  'Nowhere::At',
];

const ISOMORPHIC = [
  '',
  '',
  '@isomorphic = false',
  'def self.isomorphic?; false; end',
  "def self.isomorphic?; Dir.exist?('/nowhere'); end",
] as const;

function patternText(keys: readonly string[], random: Random): string {
  const [first, second = 'name'] = keys.length === 0 ? ['name'] : keys;
  const plain = `[[/\\A(.*)\\z/m, [[:${first}]]]]`;
  const split = `[[/\\A([^:\\/]+)[:\\/](.+)\\z/, [[:${first}], [:${second}]]], [/(.*)/m, [[:${first}]]]]`;
  const wrap = (text: string): string => `def self.title_patterns\n${text}\nend`;
  return pick(random, [
    '',
    '',
    wrap(plain),
    wrap(split),
    wrap(`[[/^(\\S+)$/, [[:${first}, lambda { |x| x.downcase }]]]]`),
    wrap(
      `[[/^(.+)\\/(.+)$/i, [[:${first}, proc { |x| x.tr('a-z', 'n-za-m') }], [:${second}, :upcase.to_proc]]]]`,
    ),
    wrap(`list = []\nlist << [/(?<rest>.*)/, [[:${first}, ->(x) { "#{x}-#{x.length}" }]]]\nlist`),
    wrap(`identity = lambda { |x| x }\n[[/(.*?)\\/?$/, [[:${first}, identity]]]]`),
    wrap(`[[/^(a)?(.*)$/, [[:${first}], [:${second}, proc { |x| x && x.succ }]]]]`),
    wrap(`[[/nothing matches this/, [[:${first}]]]]`),
    wrap(`[[/(.*)/, [[:${first}, proc { |x| raise ArgumentError, "no #{x}" }]]]]`),
    wrap('raise "no patterns"'),
    wrap(
      `@patterns ||= [[Regexp.new('^(\\w+)' + Regexp.escape('/') + '?(.*)$'), [[:${first}], [:${second}]]]]`,
    ),
  ]);
}

function providerFiles(name: string, random: Random): Readonly<Record<string, string>> {
  const path = `lib/puppet/provider/${name}/one.rb`;
  const text = pick<string | undefined>(random, [
    undefined,
    undefined,
    `Puppet::Type.type(:${name}).provide(:one) { commands :ls => '/bin/ls'; mk_resource_methods }\n`,
    `if Dir.exist?('/nowhere')\nPuppet::Type.type(:${name}).provide(:one)\nend\n`,
    `Puppet::Type.type(:${name}).provide(:one) do\n confine :kernel => :Linux\n has_feature :fast rescue nil\nend\nPuppet::Type.type(:${name}).newparam(:late_one)\n`,
    `# nothing\n`,
    random() < 0.2 ? `Puppet::Type.type(:${name}).provide(:one, :parent => :nowhere)\n` : undefined,
  ]);
  return text === undefined ? {} : { [path]: text };
}

function resourceApi(name: string, random: Random): Shape {
  const keys = pick(random, [['name'], ['alpha'], ['alpha', 'beta']]);
  const others = NAMES.filter((attribute) => !keys.includes(attribute));
  const behaviour = () =>
    pick(random, ['', '', ', behaviour: :parameter', ', behaviour: :read_only', ', behaviour: :init_only']);
  const attributes = [
    ...keys.map((key) => `${key}: { type: 'String', desc: 'x', behaviour: :namevar },`),
    ...others.map((other) => `${other}: { type: 'Optional[String]', desc: 'x'${behaviour()} },`),
    pick(random, ['', "ensure: { type: 'Enum[present, absent]', desc: 'x', default: 'present' },"]),
  ];
  const [first, second] = keys;
  const patterns =
    second === undefined
      ? pick(random, ['', `title_patterns: [{ pattern: %r{^(?<${first}>.*)$}, desc: 'x' }],`])
      : pick(random, [
          `title_patterns: [{ pattern: %r{^(?<${first}>.*[^-])-(?<${second}>.*)$}, desc: 'x' }, { pattern: %r{^(?<${first}>.*)$}, desc: 'x' }],`,
          '',
        ]);
  const features = pick(random, ['', "features: ['custom_insync'],", "features: ['canonicalize'],"]);
  const text = `require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n name: '${name}',\n docs: 'x',\n ${features}\n${patterns}\nattributes: {\n${attributes.join('\n')}\n},\n)\n`;
  return { text, attributes: [...keys, ...others], files: {} };
}

const TITLES = ['A b', '/x/y', 'x:y', 'one-two', 'a/b/c', 'Ünï', '42'] as const;

function declarations(name: string, attributes: readonly string[], random: Random): string {
  const titles = [...(random() < 0.6 ? ['a'] : []), ...some(random, TITLES, 0.25)];
  const resource = (title: string): string => {
    const given = [
      ...some(random, attributes, 0.3),
      ...some(random, ['ensure', 'provider', 'late_one', 'mixed', 'tag'], 0.04),
    ];
    const values = given.map((attribute) => `${attribute} => '${pick(random, ['v', 'a', 'x', 'present'])}'`);
    return `${name} { '${title}': ${values.join(', ')} }`;
  };
  const lines = (titles.length === 0 ? ['a'] : titles).map(resource);
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const more = some(
    random,
    [
      `notify { String(defined(${type}['a'])): }`,
      `notify { 'n': require => ${type}['a'] }`,
      `${type}['a'] -> notify { 'after': }`,
      `${type} <| |> { tag => 'found' }`,
      `${type} { loglevel => debug }`,
      `${type} <| title == 'a' |>`,
      `create_resources('${name}', { 'made' => {} })`,
      `@${name} { 'virtual': }\nrealize(${type}['virtual'])`,
    ],
    0.2,
  );
  return [...lines, ...more].join('\n');
}
