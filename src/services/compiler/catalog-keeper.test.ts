import { expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import type { CatalogTerminus } from './termini.ts';
import type { KeptCatalog } from './worker-protocol.ts';

const run = (certname: string) => ({
  certname,
  environment: 'production',
  transactionUuid: null,
  jobId: null,
});
const made = (contentId: string): Promise<KeptCatalog> =>
  Promise.resolve({ version: 1, codeId: null, catalogUuid: 'u', contentId, content: 'text' });

test('catalogs of agents that come together are kept together', async () => {
  const saved: string[] = [];
  const both = Promise.withResolvers<void>();
  const catalogs: CatalogTerminus = {
    findContent: async () => undefined,
    async save({ certname }, contentId, content) {
      saved.push([certname, contentId, content].join(' '));
      if (saved.length === 2) both.resolve();
      // As a disk that syncs once for all that is there.
      await both.promise;
    },
  };
  const keeper = new CatalogKeeper(catalogs, silentLogger);

  keeper.keep(run('a'), made('c1'));
  await made('something else');
  keeper.keep(run('b'), made('c2'));
  keeper.keep(run('c'), Promise.resolve(undefined));
  await keeper.settled();

  expect(saved).toEqual(['a c1 text', 'b c2 text']);
});

test('what can not be kept is told, and the next is kept', async () => {
  const saved: string[] = [];
  const catalogs: CatalogTerminus = {
    findContent: async () => undefined,
    async save({ certname }) {
      if (certname === 'a') throw new Error('no room');
      saved.push(certname);
    },
  };
  const keeper = new CatalogKeeper(catalogs, silentLogger);

  keeper.keep(run('a'), made('c1'));
  keeper.keep(run('b'), made('c2'));
  await keeper.settled();

  expect(saved).toEqual(['b']);
});
