/** The catalog of all functions that are built in. */

import type { LanguageLevel } from '../levels/index.ts';
import { contain } from './catalog/contain.ts';
import { createResources } from './catalog/create-resources.ts';
import { defined } from './catalog/defined.ts';
import { include } from './catalog/include.ts';
import { realize } from './catalog/realize.ts';
import { requireClasses } from './catalog/require.ts';
import { tag } from './catalog/tag.ts';
import { tagged } from './catalog/tagged.ts';
import { dig } from './collections/dig.ts';
import { empty } from './collections/empty.ts';
import { flatten } from './collections/flatten.ts';
import { get } from './collections/get.ts';
import { getvar } from './collections/getvar.ts';
import { join } from './collections/join.ts';
import { keys } from './collections/keys.ts';
import { length } from './collections/length.ts';
import { size } from './collections/size.ts';
import { sort } from './collections/sort.ts';
import { unique } from './collections/unique.ts';
import { unwrap } from './collections/unwrap.ts';
import { values } from './collections/values.ts';
import { breakIteration } from './control/break.ts';
import { call } from './control/call.ts';
import { fail } from './control/fail.ts';
import { importManifest } from './control/import.ts';
import { lest } from './control/lest.ts';
import { nextIteration } from './control/next.ts';
import { returnFromFunction } from './control/return.ts';
import { thenUseValue } from './control/then.ts';
import { withArguments } from './control/with.ts';
import { digest } from './digests/digest.ts';
import { md5 } from './digests/md5.ts';
import { sha1 } from './digests/sha1.ts';
import { sha256 } from './digests/sha256.ts';
import { binaryFile } from './files/binary-file.ts';
import { file } from './files/file.ts';
import { findFile } from './files/find-file.ts';
import { findTemplate } from './files/find-template.ts';
import { generate } from './files/generate.ts';
import { moduleDirectory } from './files/module-directory.ts';
import type { BuiltinFunction } from './function.ts';
import { all } from './iteration/all.ts';
import { any } from './iteration/any.ts';
import { each } from './iteration/each.ts';
import { filter } from './iteration/filter.ts';
import { groupBy } from './iteration/group-by.ts';
import { index } from './iteration/index-of.ts';
import { map } from './iteration/map.ts';
import { partition } from './iteration/partition.ts';
import { reduce } from './iteration/reduce.ts';
import { reverseEach } from './iteration/reverse-each.ts';
import { slice } from './iteration/slice.ts';
import { step } from './iteration/step.ts';
import { treeEach } from './iteration/tree-each.ts';
import { alert } from './logging/alert.ts';
import { crit } from './logging/crit.ts';
import { debug } from './logging/debug.ts';
import { emerg } from './logging/emerg.ts';
import { err } from './logging/err.ts';
import { info } from './logging/info.ts';
import { notice } from './logging/notice.ts';
import { warning } from './logging/warning.ts';
import { eyamlLookupKey } from './lookup/eyaml-lookup-key.ts';
import { hiera } from './lookup/hiera.ts';
import { hieraArray } from './lookup/hiera-array.ts';
import { hieraHash } from './lookup/hiera-hash.ts';
import { hieraInclude } from './lookup/hiera-include.ts';
import { hoconData } from './lookup/hocon-data.ts';
import { jsonData } from './lookup/json-data.ts';
import { lookup } from './lookup/lookup.ts';
import { puppetdbQuery } from './lookup/puppetdb-query.ts';
import { yamlData } from './lookup/yaml-data.ts';
import { abs } from './numbers/abs.ts';
import { ceiling } from './numbers/ceiling.ts';
import { compare } from './numbers/compare.ts';
import { floor } from './numbers/floor.ts';
import { fqdnRand } from './numbers/fqdn-rand.ts';
import { max } from './numbers/max.ts';
import { min } from './numbers/min.ts';
import { round } from './numbers/round.ts';
import { versioncmp } from './numbers/versioncmp.ts';
import { camelcase } from './strings/camelcase.ts';
import { capitalize } from './strings/capitalize.ts';
import { chomp } from './strings/chomp.ts';
import { chop } from './strings/chop.ts';
import { downcase } from './strings/downcase.ts';
import { lstrip } from './strings/lstrip.ts';
import { match } from './strings/match.ts';
import { regsubst } from './strings/regsubst.ts';
import { rstrip } from './strings/rstrip.ts';
import { scanf } from './strings/scanf.ts';
import { shellquote } from './strings/shellquote.ts';
import { split } from './strings/split.ts';
import { sprintf } from './strings/sprintf.ts';
import { strip } from './strings/strip.ts';
import { upcase } from './strings/upcase.ts';
import { epp } from './templates/epp.ts';
import { inlineEpp } from './templates/inline-epp.ts';
import { inlineTemplate } from './templates/inline-template.ts';
import { template } from './templates/template.ts';
import { strftime } from './time/strftime.ts';
import { annotate } from './types/annotate.ts';
import { assertType } from './types/assert-type.ts';
import { convertTo } from './types/convert-to.ts';
import { newValue } from './types/new.ts';
import { type } from './types/type.ts';

const definitions: readonly BuiltinFunction[] = [
  abs,
  alert,
  all,
  annotate,
  any,
  assertType,
  binaryFile,
  breakIteration,
  call,
  camelcase,
  capitalize,
  ceiling,
  chomp,
  chop,
  compare,
  contain,
  convertTo,
  createResources,
  crit,
  debug,
  defined,
  dig,
  digest,
  downcase,
  each,
  emerg,
  empty,
  epp,
  err,
  eyamlLookupKey,
  fail,
  file,
  filter,
  findFile,
  findTemplate,
  flatten,
  floor,
  fqdnRand,
  generate,
  get,
  getvar,
  groupBy,
  hiera,
  hieraArray,
  hieraHash,
  hieraInclude,
  hoconData,
  importManifest,
  include,
  index,
  info,
  inlineEpp,
  inlineTemplate,
  join,
  jsonData,
  keys,
  length,
  lest,
  lookup,
  lstrip,
  map,
  match,
  max,
  md5,
  min,
  moduleDirectory,
  newValue,
  nextIteration,
  notice,
  partition,
  puppetdbQuery,
  realize,
  reduce,
  regsubst,
  requireClasses,
  returnFromFunction,
  reverseEach,
  round,
  rstrip,
  scanf,
  sha1,
  sha256,
  shellquote,
  size,
  slice,
  sort,
  split,
  sprintf,
  step,
  strftime,
  strip,
  tag,
  tagged,
  template,
  thenUseValue,
  treeEach,
  type,
  unique,
  unwrap,
  upcase,
  values,
  versioncmp,
  warning,
  withArguments,
  yamlData,
];

/** The function of that name that is built in, as it is at a level. */
export function builtinFunction(name: string, level: LanguageLevel): BuiltinFunction | undefined {
  const definition = builtinFunctions.get(name);
  return definition?.atLevel === undefined ? definition : { ...definition, ...definition.atLevel(level) };
}

/** Every function that is built in, by its name. */
export const builtinFunctions: ReadonlyMap<string, BuiltinFunction> = new Map(
  definitions.map((definition) => [definition.name, definition] as const),
);
