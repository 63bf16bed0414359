export { ProcessLauncher } from './process-launcher.ts';
export type { Ended, ProcessOptions, RunningProcess, StartProcess } from './running-process.ts';
export { startProcess } from './start-process.ts';
