export { LinearPattern } from './linear-pattern.ts';
export { PatternError } from './pattern-error.ts';
export { PosixPattern } from './posix-pattern.ts';
