/** The program that compile servers get from the primary. */

export { ProgramArchive, type ProgramSource } from './program-archive.ts';
export { programPath, programRoutes } from './routes.ts';
