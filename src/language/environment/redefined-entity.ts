import { Locator, type Program, PuppetError } from '../syntax/index.ts';

const AUTHORITY = 'http://puppet.com/2016.1/runtime';

/** The error for a second type, defined type or function of one name: it says where the first one is. */
export function redefinedEntity(entity: string, origin: string): PuppetError {
  return new PuppetError({
    code: 'already_defined',
    severity: 'error',
    message: `Attempt to redefine entity '${AUTHORITY}/${entity}'. Originally set ${origin}.`,
  });
}

/** Where something is defined, as such errors write it. */
export function originOf({ source }: Program, offset: number): string {
  const { line, column } = new Locator(source).position(offset);
  const file = source.file === '' ? 'string:' : `file:${source.file}`;
  return `at ${file}?line=${line}&pos=${column}`;
}
