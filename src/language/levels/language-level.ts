/**
 * A language level is one object of named behaviours, chosen once for each environment. Code asks for a behaviour by its
 * name and never compares numbers, so that a new level is one more entry here. It is plain data: workers get a copy.
 */

export type LevelNumber = 7 | 8 | 9;

/** How the language behaves in one major release. */
export interface LanguageLevel {
  readonly number: LevelNumber;
  /** The release whose behaviour is the reference: `$serverversion` and `Puppet.version`. */
  readonly puppetVersion: string;
  /** `serverimplementation` in `$server_facts`; absent from releases that do not say. */
  readonly implementation?: string;
  /** `strict` where no setting says otherwise. */
  readonly strict: 'off' | 'warning' | 'error';
  /** `strict_variables` where no setting says otherwise. */
  readonly strictVariables: boolean;

  /** What messages call the language's implementation. */
  readonly product: 'Puppet' | 'OpenVox';
  /** Addresses in messages: of this very release, and of the latest one. */
  readonly documentation: { readonly release: string; readonly latest: string };

  /** Whether `split` and `regsubst` take `Sensitive` strings, and keep what comes of them secret. */
  readonly replacesInSensitive: boolean;
  /** What becomes of the fifth argument of `regsubst`. */
  readonly regsubstEncoding: 'ignored' | 'deprecated' | 'refused';
  /** Whether `min` and `max` compare `SemVer`, `Timespan` and `Timestamp` as such instead of as text. */
  readonly ordersVersionsAndTimes: boolean;
  /** Whether arrays that are added to a hash must be pairs; a single element is a key without a value otherwise. */
  readonly addsPairsOnly: boolean;
  /**
   * Whether validation knows types and negative numbers as literals: such keys may be in a hash only once, and types of
   * a class's parameters that are something else are deprecated.
   */
  readonly knowsLiteralTypes: boolean;
  /** Whether `(?...)` in the expression of a node leaves its punctuation in the node's name, as letters. */
  readonly namesNodesByLookaround: boolean;
  /** Whether warnings of keys in a module's data that are not the module's own say which. */
  readonly namesForeignKeys: boolean;
  /** Whether an undefined variable in a path of `hiera.yaml` is never more than a warning. */
  readonly toleratesUndefinedInPaths: boolean;
  /** Whether Ruby code of modules finds the constant `PSON`. */
  readonly hasPson: boolean;
  /** Parameters of built-in resource types that Puppet 7 did not have. */
  readonly addedParameters: Readonly<Record<string, readonly string[]>>;
  /** Whether `environment.conf` may have `environment_data_provider`. */
  readonly hasEnvironmentDataProvider: boolean;
}

const level7: LanguageLevel = {
  number: 7,
  puppetVersion: '7.23.0',
  strict: 'warning',
  strictVariables: false,
  product: 'Puppet',
  documentation: {
    release: 'https://puppet.com/docs/puppet/7.23',
    latest: 'https://puppet.com/docs/puppet/latest',
  },
  replacesInSensitive: false,
  regsubstEncoding: 'ignored',
  ordersVersionsAndTimes: false,
  addsPairsOnly: false,
  knowsLiteralTypes: false,
  namesNodesByLookaround: false,
  namesForeignKeys: false,
  toleratesUndefinedInPaths: false,
  hasPson: true,
  addedParameters: {},
  hasEnvironmentDataProvider: true,
};

const level8: LanguageLevel = {
  ...level7,
  number: 8,
  puppetVersion: '8.28.1',
  implementation: 'openvox',
  strict: 'error',
  strictVariables: true,
  documentation: {
    release: 'https://puppet.com/docs/puppet/8.28',
    latest: 'https://puppet.com/docs/puppet/latest',
  },
  replacesInSensitive: true,
  regsubstEncoding: 'deprecated',
  ordersVersionsAndTimes: true,
  addsPairsOnly: true,
  knowsLiteralTypes: true,
  namesNodesByLookaround: true,
  namesForeignKeys: true,
  toleratesUndefinedInPaths: true,
  hasPson: false,
  addedParameters: { package: ['environment'] },
};

const level9: LanguageLevel = {
  ...level8,
  number: 9,
  puppetVersion: '9.0.0',
  product: 'OpenVox',
  documentation: {
    release: 'https://docs.openvoxproject.org/openvox/latest',
    latest: 'https://docs.openvoxproject.org/openvox/latest',
  },
  regsubstEncoding: 'refused',
  hasEnvironmentDataProvider: false,
};

const levels: Readonly<Record<LevelNumber, LanguageLevel>> = { 7: level7, 8: level8, 9: level9 };

export function languageLevel(number: LevelNumber): LanguageLevel {
  return levels[number];
}

export function isLevelNumber(number: number): number is LevelNumber {
  return number in levels;
}

/** The version of Puppet that code in modules believes to run in: the level's, unless a setting names another. */
export function puppetVersionOf(settings: {
  readonly level: LanguageLevel;
  readonly puppetVersion?: string;
}): string {
  return settings.puppetVersion ?? settings.level.puppetVersion;
}
