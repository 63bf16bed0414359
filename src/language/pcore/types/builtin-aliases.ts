/** Data, RichData and RichDataKey, which the language defines in its own terms. */

import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from './alias-type.ts';
import { ArrayType } from './array-type.ts';
import { HashType } from './hash-type.ts';
import { NumericType } from './number-types.ts';
import { ObjectType } from './object-type.ts';
import { BinaryType, SensitiveType, UriType } from './opaque-types.ts';
import { DefaultType, UndefType } from './plain-types.ts';
import { ScalarDataType, ScalarType } from './scalar-types.ts';
import { SemVerRangeType } from './semver-types.ts';
import { StringType } from './string-type.ts';
import { TypeSetType } from './type-set-type.ts';
import { TypeType } from './type-type.ts';
import { VariantType } from './variant-type.ts';

export const DATA: AliasType = new AliasType(
  'Data',
  (): PuppetType =>
    new VariantType([
      ScalarDataType.DEFAULT,
      UndefType.DEFAULT,
      new HashType(StringType.DEFAULT, DATA),
      new ArrayType(DATA),
    ]),
  false,
);

export const RICH_DATA_KEY: AliasType = new AliasType(
  'RichDataKey',
  () => new VariantType([StringType.DEFAULT, NumericType.DEFAULT]),
  false,
);

export const RICH_DATA: AliasType = new AliasType(
  'RichData',
  (): PuppetType =>
    new VariantType([
      ScalarType.DEFAULT,
      SemVerRangeType.DEFAULT,
      BinaryType.DEFAULT,
      SensitiveType.DEFAULT,
      TypeType.DEFAULT,
      TypeSetType.DEFAULT,
      UriType.DEFAULT,
      ObjectType.DEFAULT,
      UndefType.DEFAULT,
      DefaultType.DEFAULT,
      new HashType(RICH_DATA_KEY, RICH_DATA),
      new ArrayType(RICH_DATA),
    ]),
  false,
);

/** By lower-case name. */
export const BUILTIN_ALIASES: ReadonlyMap<string, PuppetType> = new Map([
  ['data', DATA],
  ['richdatakey', RICH_DATA_KEY],
  ['richdata', RICH_DATA],
  ['puppet::lookupkey', new AliasType('Puppet::LookupKey', () => RICH_DATA_KEY, false)],
  ['puppet::lookupvalue', new AliasType('Puppet::LookupValue', () => RICH_DATA, false)],
]);
