import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import {
  commonType,
  describeMismatch,
  fromData,
  type PuppetType,
  parseType,
  ResourceType,
  renderJson,
  type TypeResolver,
  toData,
} from '../index.ts';

interface Recorded {
  readonly types: readonly string[];
  readonly text: readonly string[];
  readonly expanded: readonly string[];
  readonly normal: readonly string[];
  readonly general: readonly string[];
  readonly rich: readonly unknown[];
  readonly assignable: readonly string[];
  readonly equal: readonly string[];
  readonly common: readonly (readonly [number, number, string | null])[];
  readonly mismatch: readonly (readonly [number, number, string])[];
}

const file = new URL('../recorded/types.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
const resolver: TypeResolver = {
  findAlias: (name) => (['file', 'user'].includes(name.toLowerCase()) ? new ResourceType(name) : undefined),
};
const types = recorded.types.map((text) => parseType(text, resolver));

function typeAt(index: number): PuppetType {
  const type = types[index];
  if (type === undefined) throw new Error(`no type ${index}`);
  return type;
}

/** The answers that differ, each with the two types. */
function differences(rows: readonly string[], answer: (a: PuppetType, b: PuppetType) => boolean): string[] {
  return types.flatMap((a, row) =>
    types.flatMap((b, column) => {
      const digit = Number.parseInt(rows[row]?.charAt(column >> 2) ?? '0', 16);
      const expected = ((digit >> (3 - (column & 3))) & 1) === 1;
      return answer(a, b) === expected ? [] : [`${recorded.types[row]} and ${recorded.types[column]}`];
    }),
  );
}

describe('types, compared with what Puppet answers', () => {
  it('prints them', () => {
    expect(types.map((type) => type.toString())).toEqual(recorded.text);
  });
  it('prints them with aliases expanded', () => {
    expect(types.map((type) => type.toExpandedString())).toEqual(recorded.expanded);
  });
  it('normalizes them', () => {
    expect(types.map((type) => type.normalize().toString())).toEqual(recorded.normal);
  });
  it('generalizes them', () => {
    expect(types.map((type) => type.generalize().toString())).toEqual(recorded.general);
  });
  it('knows what is assignable to what', () => {
    expect(differences(recorded.assignable, (a, b) => a.isAssignable(b))).toEqual([]);
  });
  it('knows which are equal', () => {
    expect(differences(recorded.equal, (a, b) => a.equals(b))).toEqual([]);
  });
  it('finds the common type', () => {
    const known = recorded.common.filter(([, , expected]) => expected !== null);

    const found = known.map(([a, b]) => [a, b, commonType(typeAt(a), typeAt(b)).toString()]);

    expect(found).toEqual(known);
  });
  it('describes why one does not fit another', () => {
    const found = recorded.mismatch.map(([a, b]) => [a, b, describeMismatch('x', typeAt(a), typeAt(b))]);

    expect(found).toEqual(recorded.mismatch);
  });
  it('writes them as rich data', () => {
    const expected = recorded.rich.map((data, index) =>
      data === null ? null : [recorded.types[index], data],
    );

    const found = types.map((type, index) =>
      recorded.rich[index] === null ? null : [recorded.types[index], JSON.parse(renderJson(toData(type)))],
    );

    expect(found).toEqual(expected);
  });
  it('reads them back from rich data', () => {
    const readable = types.filter((type, index) => recorded.rich[index] !== null && !isForgetful(type));

    const found = readable.map((type) => String(fromData(toData(type), { resolver })));

    expect(found).toEqual(readable.map(String));
  });
});

/** Types that rich data does not say all of: what Sensitive hides, the value of a Boolean, known Object types. */
function isForgetful(type: PuppetType): boolean {
  if (['Sensitive', 'Boolean', 'ObjectTypeExtension', 'TypeAlias'].includes(type.kind)) return true;
  return type.parts().some(isForgetful);
}
