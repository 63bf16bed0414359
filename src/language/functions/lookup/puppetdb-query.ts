import { defineFunction } from '../function.ts';

/** `puppetdb_query(query)`: the rows that PuppetDB has for a query, in PQL or as a tree of arrays. */
export const puppetdbQuery = defineFunction({
  name: 'puppetdb_query',
  dispatches: [
    {
      parameters: [{ type: 'Variant[String[1], Array[Data, 1]]', name: 'query' }],
      call: (context, [query = null]) => context.outside.queryPuppetdb(query),
    },
  ],
});
