/** The settings that manifests can see and that change what code means. */

import type { EnvironmentDefaults, LanguageSettings } from '../../language/environment/index.ts';
import { type LevelNumber, languageLevel, puppetVersionOf } from '../../language/levels/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/** @param number - that of `environment.conf`; the installation's when absent */
export function languageSettings(settings: Settings, number: LevelNumber = settings.level): LanguageSettings {
  const level = languageLevel(number);
  return {
    level,
    strict: settings.strict ?? level.strict,
    strictVariables: settings.strictVariables ?? level.strictVariables,
    richData: settings.richData,
    disableWarnings: settings.disableWarnings,
    ...(settings.puppetVersion === '' ? {} : { puppetVersion: settings.puppetVersion }),
    visible: settings.puppetValues[number],
  };
}

/** Applies to environments whose `environment.conf` says nothing else. */
export function environmentDefaults(settings: Settings): EnvironmentDefaults {
  return {
    basemodulepath: settings.baseModulePath,
    vendorModuleDirectory: settings.vendorModuleDirectory,
    defaultManifest: settings.defaultManifest,
    disablePerEnvironmentManifest: settings.disablePerEnvironmentManifest,
    variables: {
      codedir: settings.codeDir,
      confdir: settings.confDir,
      vardir: settings.varDir,
      ssldir: settings.sslDir,
    },
  };
}

/** The version of Puppet that this server says it has. */
export function announcedVersion(settings: Settings): string {
  return puppetVersionOf(languageSettings(settings));
}
