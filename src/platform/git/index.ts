export { Git, GitError, type GitProcess } from './git.ts';
export { runNetworkCommand } from './network-command.ts';
