export { Git, type GitProcess } from './git.ts';
