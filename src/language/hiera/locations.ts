/** Where an entry of the hierarchy finds its data, for the variables of a node. */

import { plusPath } from '../environment/index.ts';
import { isArray, PuppetHash, plainText, UriValue, type Value } from '../pcore/index.ts';
import type { HieraFiles } from './hiera-files.ts';
import type { LocationSpec } from './hierarchy-config.ts';
import { interpolateText, scopeLookup } from './interpolation.ts';
import type { LookupRun } from './lookup-run.ts';

export interface Location {
  readonly type: 'path' | 'uri';
  /** As in `hiera.yaml`; for globs with the data directory. */
  readonly original: string;
  readonly resolved: string;
  readonly exists: boolean;
}

/**
 * Interpolates and expands the locations of an entry.
 *
 * @param datadir - absolute
 * @param onlyExisting - leave out paths without a file, as the built-in hierarchy does
 */
export function resolveLocations(
  spec: LocationSpec,
  datadir: string,
  context: { readonly run: LookupRun; readonly files: HieraFiles; readonly onlyExisting: boolean },
): readonly Location[] {
  const { run, files } = context;
  switch (spec.kind) {
    case 'paths': {
      const found = spec.patterns.map((original) => {
        const path = interpolateText(original, run);
        const { extension = '' } = spec;
        const complete = path.endsWith(extension) ? path : path + extension;
        return pathAt(original, plusPath(datadir, complete), files);
      });
      return context.onlyExisting ? found.filter((location) => location.exists) : found;
    }
    case 'globs':
      return spec.patterns.flatMap((pattern) => {
        const original = plusPath(datadir, interpolateText(pattern, run));
        const paths = files.glob(original);
        return paths.map((resolved) => ({ type: 'path' as const, original, resolved, exists: true }));
      });
    case 'uris':
      return spec.patterns.map((original) => ({
        type: 'uri',
        original,
        resolved: UriValue.parse(interpolateText(original, run)).toString(),
        exists: true,
      }));
    case 'mapped':
      return mappedPaths(spec, datadir, run, files);
    default:
      return spec satisfies never;
  }
}

function mappedPaths(
  spec: LocationSpec & { readonly kind: 'mapped' },
  datadir: string,
  run: LookupRun,
  files: HieraFiles,
): readonly Location[] {
  return mappedValues(scopeLookup(spec.variable, run, 'mapped_path[0]')).map((value) => {
    const scope = {
      findVariable: (name: string): Value | undefined =>
        name === spec.key ? value : run.scope.findVariable(name),
      whyMissing: (name: string): string => run.scope.whyMissing?.(name) ?? '',
    };
    const path = interpolateText(spec.template, run.derive({ scope }, run.interpolations));
    return pathAt(spec.template, plusPath(datadir, path), files);
  });
}

function mappedValues(value: Value): readonly Value[] {
  if (value === null) return [];
  if (isArray(value)) return value;
  if (value instanceof PuppetHash) return Array.from(value, ([key, item]) => [key, item]);
  const text = plainText(value);
  return text === '' ? [] : [value];
}

function pathAt(original: string, resolved: string, files: HieraFiles): Location {
  return { type: 'path', original, resolved, exists: files.exists(resolved) };
}
