export type { Settings } from './all-settings.ts';
export { type Flags, parseFlags } from './flags.ts';
export { type LoadedSettings, loadSettings, type SettingsSources } from './load-settings.ts';
export { processEnvironment, processSources } from './process-sources.ts';
export { SettingsError } from './raw-value.ts';
export { renderSettingsReference } from './settings-reference.ts';
