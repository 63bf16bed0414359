export type { Settings } from './all-settings.ts';
export { keepCompiledProgram } from './compiled-program.ts';
export { type OwnOptions, parseFlags } from './flags.ts';
export { levelFile } from './language-level.ts';
export { type LoadedSettings, loadSettings } from './load-settings.ts';
export { isNoted, nodeTerminusFile } from './node-terminus.ts';
export { primaryUrlOf } from './primary-url.ts';
export {
  commandSources,
  environmentWithoutSettings,
  processEnvironment,
  processSources,
  takeVariable,
} from './process-sources.ts';
export { SettingsError } from './raw-value.ts';
export { becomeOwnerOf } from './service-user.ts';
export { renderSettingsReference } from './settings-reference.ts';
export { type SettingOrigins, shownSettings } from './shown-settings.ts';
export { encodeStartedWith, startedWithFile } from './started-with.ts';
