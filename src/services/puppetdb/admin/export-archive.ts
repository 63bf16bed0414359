/** An archive of everything that active nodes have sent, in the reference's layout: `puppetdb-bak/...`, tar. */

import { type Pack, pack } from 'tar-stream';
import { quoted } from '../../../lib/ordered-json.ts';
import { parseExact } from '../../../lib/raw-json.ts';
import { type DirectDatabase, sql } from '../../../platform/storage/index.ts';
import {
  type AnonymizeCommand,
  anonymizeCatalog,
  anonymizeCatalogInputs,
  anonymizeExpiration,
  anonymizeFacts,
  anonymizePackage,
  anonymizeReport,
} from '../anonymization/anonymize-command.ts';
import type { Anonymizer } from '../anonymization/anonymizer.ts';
import { canonicalJson, identityHash } from '../canonical-json.ts';
import { supportedVersions } from '../commands/command-name.ts';
import type { Clause } from '../query/ast.ts';
import type { QueryService } from '../query/query-service.ts';
import { archiveRoot, metadataFile } from './archive-layout.ts';
import { archivedCatalog, archivedFacts, archivedReport, type ToCommand } from './archived-command.ts';

export interface ExportOptions {
  readonly database: DirectDatabase;
  readonly service: QueryService;
  readonly now: Date;
  /** What it must not show; everything stays as it is when absent. */
  readonly anonymizer?: Anonymizer;
}

interface Kind {
  readonly entity: string;
  readonly directory: string;
  readonly query?: Clause;
  readonly toCommand: ToCommand;
  readonly anonymize: AnonymizeCommand;
  /** Several of a node may be there: their times tell them apart. */
  readonly hasTime: boolean;
}

const kinds: readonly Kind[] = [
  {
    entity: 'catalogs',
    directory: 'catalogs',
    toCommand: archivedCatalog,
    anonymize: anonymizeCatalog,
    hasTime: true,
  },
  {
    entity: 'factsets',
    directory: 'facts',
    toCommand: archivedFacts,
    anonymize: anonymizeFacts,
    hasTime: false,
  },
  {
    entity: 'reports',
    directory: 'reports',
    // Of all types: a query that mentions the type gets more than those of agents.
    query: ['null?', 'type', false],
    toCommand: archivedReport,
    anonymize: anonymizeReport,
    hasTime: true,
  },
  {
    entity: 'catalog_inputs',
    directory: 'catalog_inputs',
    toCommand: (row) => row,
    anonymize: anonymizeCatalogInputs,
    hasTime: true,
  },
];

/** The bytes of the tar file, read as fast as they are taken. */
export async function* exportArchive(options: ExportOptions): AsyncIterable<Uint8Array> {
  const tar = pack();
  const writing = writeEntries(tar, options).then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const chunk of tar) yield chunk as Uint8Array;
  } finally {
    tar.destroy();
    await writing;
  }
}

async function writeEntries(tar: Pack, options: ExportOptions): Promise<void> {
  const { now } = options;
  const write = (path: string, content: string): Promise<void> =>
    writeEntry(tar, `${archiveRoot}/${path}`, content, now);
  const versions = Object.entries(supportedVersions).filter(([name]) => name !== 'deactivate node');
  const command_versions = Object.fromEntries(
    versions.map(([name, { max }]) => [name.replaceAll(' ', '_'), max]),
  );
  await write(metadataFile, JSON.stringify({ timestamp: now.toISOString(), command_versions }));
  // First: facts of nodes that must not expire would otherwise be collected in the middle of an import.
  await writeExpirations(options, write);
  for (const kind of kinds) await writeKind(options, kind, write);
}

type Write = (path: string, content: string) => Promise<void>;

async function writeExpirations({ anonymizer, database }: ExportOptions, write: Write): Promise<void> {
  const rows = await database.read(
    sql`select certname, expires_facts, expires_facts_updated from pdb_nodes where expires_facts_updated is not null`,
  );
  for (const { certname, expires_facts: expires, expires_facts_updated: time } of rows) {
    const facts = expires === true || expires === 1;
    const known = { certname, expire: { facts }, producer_timestamp: time };
    const command = anonymizer === undefined ? known : anonymizeExpiration(anonymizer, known);
    await write(`configure_expiration/${fileName(command, true)}`, canonicalJson(command));
  }
}

async function writeKind(options: ExportOptions, kind: Kind, write: Write): Promise<void> {
  const { anonymizer, service } = options;
  const { anonymize, entity, directory, query } = kind;
  const { rows } = await service.ask({
    entity,
    query: query === undefined ? active : ['and', active, query],
    paging: {},
    includeTotal: false,
  });
  for await (const part of rows) {
    for (const row of part) {
      const known = kind.toCommand(parseExact(row) as Readonly<Record<string, unknown>>);
      const command = anonymizer === undefined ? known : anonymize(anonymizer, known);
      const text = canonicalJson(command);
      const isFacts = directory === 'facts';
      const content = isFacts ? await withPackages(options, String(known['certname']), text) : text;
      await write(`${directory}/${fileName(command, kind.hasTime)}`, content);
    }
  }
}

const active: Clause = ['=', 'node_state', 'active'];

/** Packages travel with facts. */
async function withPackages(
  { anonymizer, service }: ExportOptions,
  certname: string,
  facts: string,
): Promise<string> {
  const query: Clause = ['and', ['=', 'certname', certname], active];
  const { rows } = await service.ask({ entity: 'package_inventory', query, paging: {}, includeTotal: false });
  const packages: unknown[] = [];
  for await (const part of rows) {
    for (const row of part) {
      const { package_name, version, provider } = JSON.parse(row) as Readonly<Record<string, string>>;
      const known = [package_name ?? '', version ?? '', provider ?? ''];
      packages.push(anonymizer === undefined ? known : anonymizePackage(anonymizer, known));
    }
  }
  if (packages.length === 0) return facts;
  return `${facts.slice(0, -1)},"package_inventory":${JSON.stringify(packages)}}`;
}

function fileName(command: Readonly<Record<string, unknown>>, hasTime: boolean): string {
  const certname = String(command['certname']);
  if (!hasTime) return `${certname}.json`;
  return `${certname}-${identityHash(quoted(String(command['producer_timestamp'])))}.json`;
}

async function writeEntry(tar: Pack, name: string, content: string, mtime: Date): Promise<void> {
  const bytes = Buffer.from(content);
  await new Promise<void>((resolve, reject) => {
    const entry = tar.entry({ name, size: bytes.length, mtime, mode: 0o644 }, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
    entry.end(bytes);
  });
}
