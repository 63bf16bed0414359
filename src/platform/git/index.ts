export { Git, GitError, type GitOptions, type GitProcess } from './git.ts';
