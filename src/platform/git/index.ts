export { Git, GitError, type GitOptions, type GitProcess } from './git.ts';
export { runNetworkCommand } from './network-command.ts';
