export { endOf, Git, GitError, type GitOptions } from './git.ts';
export { runNetworkCommand } from './network-command.ts';
