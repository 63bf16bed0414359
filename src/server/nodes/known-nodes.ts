/** The nodes that PuppetDB has facts of, for the classifier. */

import { z } from 'zod';
import type { KnownNodes } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';

export function knownNodes(puppetDb: PuppetDbTerminus): KnownNodes {
  return {
    async names(signal) {
      const query = ['from', 'inventory', ['extract', ['certname']]];
      const rows = NamesWire.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
      return rows.map(({ certname }) => certname);
    },
    async read(names, signal) {
      const among = ['in', 'certname', ['array', names]];
      const query = ['from', 'inventory', ['extract', ['certname', 'facts', 'trusted'], among]];
      const rows = NodesWire.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
      return rows.map(({ certname, facts, trusted }) => ({
        name: certname,
        fact: facts,
        trusted: trusted ?? { certname },
      }));
    },
  };
}

const Values = z.record(z.string(), z.json());

const NamesWire = z.array(z.object({ certname: z.string() }));

const NodesWire = z.array(z.object({ certname: z.string(), facts: Values, trusted: Values.nullish() }));
