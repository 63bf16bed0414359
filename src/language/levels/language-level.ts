/**
 * A language level is one object of named behaviours, chosen once for each environment. Code asks for a behaviour by its
 * name and never compares numbers, so that a new level is one more entry here.
 */

export type LevelNumber = 7 | 8 | 9;

/** How the language behaves in one major release. Each level says what differs from the one before. */
export interface LanguageLevel {
  readonly number: LevelNumber;
  /** The release whose behaviour is the reference: `$serverversion` and `Puppet.version`. */
  readonly puppetVersion: string;
  /** `strict` where no setting says otherwise. */
  readonly strict: 'off' | 'warning' | 'error';
  /** `strict_variables` where no setting says otherwise. */
  readonly strictVariables: boolean;
  /** `serverimplementation` in `$server_facts`; absent from releases that do not say. */
  readonly implementation?: string;
}

const level7: LanguageLevel = {
  number: 7,
  puppetVersion: '7.23.0',
  strict: 'warning',
  strictVariables: false,
};

const level8: LanguageLevel = {
  ...level7,
  number: 8,
  puppetVersion: '8.28.1',
  strict: 'error',
  strictVariables: true,
  implementation: 'openvox',
};

const level9: LanguageLevel = {
  ...level8,
  number: 9,
  puppetVersion: '9.0.0',
};

const levels: Readonly<Record<LevelNumber, LanguageLevel>> = { 7: level7, 8: level8, 9: level9 };

export function languageLevel(number: LevelNumber): LanguageLevel {
  return levels[number];
}

export function isLevelNumber(number: number): number is LevelNumber {
  return number in levels;
}
