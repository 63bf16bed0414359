/** The settings that manifests can see and that change what code means. */

import type { EnvironmentDefaults, LanguageSettings } from '../../language/environment/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

export function languageSettings(settings: Settings): LanguageSettings {
  return {
    strict: settings.strict,
    strictVariables: settings.strictVariables,
    richData: settings.richData,
    disableWarnings: settings.disableWarnings,
    puppetVersion: settings.puppetVersion,
    visible: {
      certname: settings.certname,
      confdir: settings.confDir,
      codedir: settings.codeDir,
      vardir: settings.varDir,
      logdir: settings.logDir,
      ssldir: settings.sslDir,
      environmentpath: settings.environmentPath.join(':'),
      basemodulepath: settings.baseModulePath.join(':'),
      vendormoduledir: settings.vendorModuleDirectory,
      hiera_config: settings.hieraConfig,
      strict: settings.strict,
      strict_variables: settings.strictVariables,
      storeconfigs: settings.storeConfigs,
      serverport: settings.serverPort,
      server: settings.certname,
      ca_server: settings.certname,
    },
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
