export { boundSignal, boundTo } from './bound-process.ts';
export {
  endMarked,
  findMarked,
  type MarkedProgram,
  markOwnProcess,
  removeMark,
  startMarked,
} from './marked-process.ts';
export { ProcessLauncher } from './process-launcher.ts';
export type { Ended, ProcessOptions, RunningProcess, StartProcess } from './running-process.ts';
export { startProcess } from './start-process.ts';
