export { type Author, authorOf, serverItself } from './author.ts';
export type { Change, ChangeDetails, ChangeEvent } from './change.ts';
export { changeColumns, changeMigrations, insertChange } from './change-table.ts';
