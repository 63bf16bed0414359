/** Resource types whose files Ruby has run: what the shim says of them, in the form that catalogs use. */

import type { ResourceTypeInfo, TitleConversion, TitlePattern } from '../../../language/catalog/index.ts';

/** What `Types.read` of the shim says. */
export interface TypeDescription {
  readonly name: string;
  readonly properties: readonly string[];
  readonly parameters: readonly string[];
  readonly namevars: readonly string[];
  readonly isIsomorphic: boolean;
  readonly titlePatterns: readonly PatternDescription[];
  readonly titlePatternsProblem?: string;
  readonly metaparameters: readonly string[];
}

interface PatternDescription {
  readonly source: string;
  /** Ruby's bits. */
  readonly options: number;
  readonly attributes: readonly string[];
  /** Which of the attributes have a proc. */
  readonly converts: readonly boolean[];
}

/** Asks Ruby what one proc of one pattern makes of a part of a title. */
export type Convert = (pattern: number, attribute: number, capture: string | null) => string | null;

const IGNORE_CASE = 1;
const EXTENDED = 2;
const MULTILINE = 4;

export function resourceTypeOf(description: TypeDescription, convert: Convert): ResourceTypeInfo {
  const { name, properties, parameters, namevars, isIsomorphic, titlePatterns, titlePatternsProblem } =
    description;
  const { metaparameters } = description;
  return {
    name,
    properties: new Set(properties),
    parameters: new Set(parameters),
    namevars,
    isIsomorphic,
    titlePatterns: titlePatterns.map((pattern, index) =>
      patternOf(pattern, (attribute, capture) => convert(index, attribute, capture)),
    ),
    ...(titlePatternsProblem === undefined ? {} : { titlePatternsProblem }),
    ...(metaparameters.length === 0 ? {} : { metaparameters }),
  };
}

function patternOf(
  { source, options, attributes, converts }: PatternDescription,
  convert: (attribute: number, capture: string | null) => string | null,
): TitlePattern {
  const conversionOf = (isConverted: boolean, index: number): TitleConversion | undefined =>
    isConverted ? (capture) => convert(index, capture) : undefined;
  return {
    source,
    multiline: (options & MULTILINE) !== 0,
    ...((options & IGNORE_CASE) === 0 ? {} : { ignoreCase: true }),
    ...((options & EXTENDED) === 0 ? {} : { extended: true }),
    attributes,
    ...(converts.includes(true) ? { conversions: converts.map(conversionOf) } : {}),
  };
}
