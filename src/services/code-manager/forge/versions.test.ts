import { expect, test } from 'vitest';
import { compareVersions, isPreRelease } from './versions.ts';

test('versions are ordered as semantic versions are', () => {
  const ordered = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '10.0.0',
  ];

  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
  expect(ordered.filter(isPreRelease)).toHaveLength(6);
});
