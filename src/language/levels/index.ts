/** Language levels: which major release of Puppet the language behaves as. */

export {
  isLevelNumber,
  type LanguageLevel,
  type LevelNumber,
  languageLevel,
  puppetVersionOf,
} from './language-level.ts';
