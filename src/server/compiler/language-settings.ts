/** The settings that manifests can see and that change what code means. */

import type { EnvironmentDefaults, LanguageSettings } from '../../language/environment/index.ts';
import { languageLevel } from '../../language/levels/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

export function languageSettings(settings: Settings): LanguageSettings {
  return {
    level: languageLevel(7),
    strict: settings.strict,
    strictVariables: settings.strictVariables,
    richData: settings.richData,
    disableWarnings: settings.disableWarnings,
    puppetVersion: settings.puppetVersion,
    visible: settings.puppetValues,
  };
}

/** What holds for every environment whose `environment.conf` says nothing else. */
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
