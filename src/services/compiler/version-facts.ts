/** What `$server_facts` says of the server's version, at the level of an environment. */

import type { LanguageSettings } from '../../language/environment/index.ts';
import { puppetVersionOf } from '../../language/levels/index.ts';

export function versionFacts(settings: LanguageSettings): Readonly<Record<string, string>> {
  const { implementation } = settings.level;
  return {
    ...(implementation === undefined ? {} : { serverimplementation: implementation }),
    serverversion: puppetVersionOf(settings),
  };
}
