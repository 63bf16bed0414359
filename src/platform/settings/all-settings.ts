/** Every setting there is, by name. */

import type { CaServer } from './authority-elsewhere.ts';
import { authoritySettings } from './authority-settings.ts';
import { autoscalerSettings } from './autoscaler-settings.ts';
import { brokerSettings } from './broker-settings.ts';
import { classifierSettings } from './classifier-settings.ts';
import { clusterSettings } from './cluster-settings.ts';
import { codeManagerSettings } from './code-manager-settings.ts';
import { consoleSettings } from './console-settings.ts';
import { identitySettings } from './identity-settings.ts';
import type { InstallationLevel } from './language-level.ts';
import { orchestratorSettings } from './orchestrator-settings.ts';
import { puppetSettings } from './puppet-settings.ts';
import type { PuppetValue } from './puppet-values.ts';
import { rbacSettings } from './rbac-settings.ts';
import { serverSettings } from './server-settings.ts';
import type { Setting } from './setting.ts';

const settingDefinitions = {
  ...serverSettings,
  ...clusterSettings,
  ...authoritySettings,
  ...codeManagerSettings,
  ...puppetSettings,
  ...classifierSettings,
  ...rbacSettings,
  ...consoleSettings,
  ...brokerSettings,
  ...orchestratorSettings,
  ...autoscalerSettings,
  ...identitySettings,
};

type Definitions = typeof settingDefinitions;

/** The values of all settings that we honour, as typed: `settings.caTtlSeconds`. */
export type DefinedSettings = {
  readonly [K in keyof Definitions]: Definitions[K] extends Setting<infer T> ? T : never;
};

export interface Settings extends DefinedSettings {
  /** The language level of environments that name none. */
  readonly level: InstallationLevel;
  /** What classifies nodes. */
  readonly nodeTerminus: string;
  /** Every setting of Puppet by its name, honoured or not, as manifests see it at each language level. */
  readonly puppetValues: Readonly<Record<InstallationLevel, Readonly<Record<string, PuppetValue>>>>;
  /** The certificate authority that `puppet.conf` names; `undefined` where it names no other host. */
  readonly caServer: CaServer | undefined;
}

class SettingTable {
  readonly definitions: readonly (readonly [keyof DefinedSettings, Setting<unknown>])[];
  private readonly byName = new Map<string, Setting<unknown>>();

  constructor(definitions: Definitions) {
    this.definitions = Object.entries(definitions) as unknown as [keyof DefinedSettings, Setting<unknown>][];
    for (const [, setting] of this.definitions) {
      for (const name of [setting.name, ...(setting.aliases ?? [])]) this.byName.set(name, setting);
    }
  }

  get names(): Iterable<string> {
    return this.byName.keys();
  }

  /** @param name - or one of its older names */
  find(name: string): Setting<unknown> | undefined {
    return this.byName.get(name);
  }
}

export const allSettings = new SettingTable(settingDefinitions);
