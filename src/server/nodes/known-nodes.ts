/** The nodes that PuppetDB has facts of, for the classifier. */

import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { KnownNodes } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';

export function knownNodes(puppetDb: PuppetDbTerminus): KnownNodes {
  const nodes: KnownNodes = {
    async names(signal, where) {
      const some = where === undefined ? [] : [where];
      const query = ['from', 'inventory', ['extract', ['certname'], ...some]];
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
    async readFacts(names, facts, signal) {
      // Others would have to be quoted in a path, which not every PuppetDB understands.
      if (!facts.every((name) => /^\w+$/.test(name))) return await nodes.read(names, signal);
      const columns = ['certname', 'trusted', ...facts.map((name) => `facts.${name}`)];
      const query = ['from', 'inventory', ['extract', columns, ['in', 'certname', ['array', names]]]];
      const rows = SomeFactsWire.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
      return rows.map((row) => ({
        name: row.certname,
        trusted: row.trusted ?? { certname: row.certname },
        fact: Object.fromEntries(facts.flatMap((name) => memberOf(row, name))),
      }));
    },
  };
  return nodes;
}

function memberOf(row: z.infer<typeof SomeFactsWire>[number], name: string): readonly [string, Json][] {
  const value = row[`facts.${name}`];
  // A fact that a node doesn't have is null here.
  return value === undefined || value === null ? [] : [[name, value]];
}

/** What JSON gave is JSON: a look at each value within facts takes ten times as long as to parse them. */
const AnyJson = z.custom<Json>(() => true);
const Values = z.record(z.string(), AnyJson);

const NamesWire = z.array(z.object({ certname: z.string() }));

const SomeFactsWire = z.array(
  z.object({ certname: z.string(), trusted: Values.nullish() }).catchall(AnyJson),
);

const NodesWire = z.array(z.object({ certname: z.string(), facts: Values, trusted: Values.nullish() }));
