import { expect, test } from 'vitest';
import { environmentPlaces } from './environment-places.ts';

test('environments are staged where they are below the directory of code', () => {
  const places = environmentPlaces({
    codeDir: '/code',
    environmentPath: ['/code/environments', '/code/more/envs'],
  });

  expect(places).toEqual([
    { staged: 'environments', logical: '/code/environments' },
    { staged: 'more/envs', logical: '/code/more/envs' },
  ]);
});

test('environments elsewhere have a place in the staging directory all the same', () => {
  const places = environmentPlaces({
    codeDir: '/code',
    environmentPath: ['/srv/puppet', '/srv/other', '/opt/other'],
  });

  expect(places).toEqual([
    { staged: 'environments', logical: '/srv/puppet' },
    { staged: 'other', logical: '/srv/other' },
  ]);
});
