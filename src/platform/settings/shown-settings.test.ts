import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { shownSettings } from './shown-settings.ts';

test('each setting is shown with its value and where it came from, addresses without passwords', () => {
  const { origins, settings } = loadSettings({
    flags: new Map(),
    environment: {
      BUNRAKU_CA_TTL: '2d',
      BUNRAKU_PUPPETDB_DATABASE: 'postgres://bunraku:secret@db.example.com/bunraku',
    },
    hostname: 'primary.example.com',
    readFile: () => undefined,
  });
  const shown = new Map(shownSettings(settings, origins).map((each) => [each.name, each]));

  expect(shown.get('ca_ttl')).toMatchObject({ value: '2d', origin: 'BUNRAKU_CA_TTL', default: '5y' });
  expect(shown.get('puppetdb_database')?.value).toBe('postgres://…@db.example.com/bunraku');
  expect(shown.get('certname')).toMatchObject({ value: 'primary.example.com', origin: 'default' });
});
