/** Resource types of a modulepath as Ruby says they are, each with the title procs that it has. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ResourceTypeInfo } from '../../src/language/catalog/index.ts';
import { defaultLanguageSettings } from '../../src/language/environment/index.ts';
import type { RubyCaller } from '../../src/language/evaluator/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { endRuby, rubyOf } from '../support/ruby.ts';
import { withRubyCaller } from '../support/ruby-caller.ts';

export type FromRuby =
  | { readonly kind: 'type'; readonly type: ResourceTypeInfo }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly message: string };

/** @param visit - is given a function that reads one type, which works until `visit` returns */
export function withTypesFromRuby(
  modulepath: string,
  visit: (read: (name: string) => FromRuby) => void,
): void {
  const directory = mkdtempSync(path.join(tmpdir(), 'bunraku-types-'));
  writeFileSync(path.join(directory, 'environment.conf'), `modulepath = ${modulepath}\n`);
  const environment = openEnvironment({
    directory,
    name: 'types',
    code: "inline_template('')",
    settings: defaultLanguageSettings,
  });
  const read = (name: string, caller: RubyCaller): FromRuby => {
    try {
      const file = environment.rubyTypeFile(name) ?? '';
      const found = rubyOf(environment).findResourceType(name, file, caller);
      if (found === undefined) return { kind: 'failed', message: 'there is no Ruby' };
      return found.kind === 'none' ? found : { kind: 'type', type: found.info };
    } catch (error) {
      if (error instanceof PuppetError) return { kind: 'failed', message: error.message };
      throw error;
    }
  };
  try {
    withRubyCaller(environment, (caller) => visit((name) => read(name, caller)));
  } finally {
    endRuby(environment);
    rmSync(directory, { recursive: true, force: true });
  }
}
