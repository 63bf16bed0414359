import { describe, expect, it } from 'vitest';
import { withoutPuppetDb } from './without-puppetdb.ts';

const { signal } = new AbortController();

describe('withoutPuppetDb', () => {
  it('finds no exported resources of other nodes, and refuses queries', async () => {
    const { findResources, query } = withoutPuppetDb({ storeConfigs: true, storeConfigsBackend: 'puppetdb' });

    expect(await findResources?.('[]', signal)).toBe('[]');
    await expect(query('"nodes { }"', signal)).rejects.toThrow('There is no PuppetDB to query');
  });

  it.each([
    { storeConfigs: false, storeConfigsBackend: 'puppetdb' },
    { storeConfigs: true, storeConfigsBackend: 'other' },
  ])('collects nothing with %j', (settings) => {
    expect(withoutPuppetDb(settings).findResources).toBeUndefined();
  });
});
