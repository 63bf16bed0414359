export type { Settings } from './all-settings.ts';
export { keepCompiledProgram } from './compiled-program.ts';
export { parseFlags } from './flags.ts';
export { type LoadedSettings, loadSettings } from './load-settings.ts';
export { primaryUrlOf } from './primary-url.ts';
export { commandSources, processEnvironment, processSources } from './process-sources.ts';
export { SettingsError } from './raw-value.ts';
export { renderSettingsReference } from './settings-reference.ts';
export { encodeStartedWith, startedWithFile } from './started-with.ts';
