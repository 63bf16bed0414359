/** Exported resources and rows of PuppetDB, as code gets them. */

import { failure, type ResourceRecord, renderValue } from '../../language/catalog/index.ts';
import {
  type CompileTermini,
  type ExactJson,
  fromJson,
  parseExactJson,
} from '../../language/evaluator/index.ts';
import type { Value } from '../../language/pcore/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { askPuppetDb, type PuppetDbLink } from './puppetdb-link.ts';

/** @param link - absent without a PuppetDB */
export function queryPuppetdb(link: PuppetDbLink | undefined): (query: Value) => Value {
  return (query) => {
    if (link === undefined) throw failure('There is no PuppetDB to query');
    const text = ask(link, 'query', query);
    try {
      return fromJson(parseExactJson(text));
    } catch (error) {
      if (error instanceof SyntaxError) throw failure(`unexpected token at '${text}'`);
      throw error;
    }
  };
}

/** Absent where nothing is exported or collected. */
export function exportedResources(link: PuppetDbLink | undefined): Pick<CompileTermini, 'exportedResources'> {
  if (link?.collectsExported !== true) return {};
  return {
    exportedResources: (query) => {
      const rows = parseExactJson(ask(link, 'resources', fromJson(query)));
      return (Array.isArray(rows) ? (rows as readonly ExactJson[]) : []).map(decodeRecord);
    },
  };
}

function ask(link: PuppetDbLink, kind: 'resources' | 'query', query: Value): string {
  try {
    return askPuppetDb(link, { kind, query: renderValue(query) });
  } catch (error) {
    if (error instanceof ServiceError) throw failure(error.message);
    throw error;
  }
}

type JsonObject = Readonly<Record<string, ExactJson>>;

/** A row of `/pdb/query/v4/resources`. */
function decodeRecord(row: ExactJson): ResourceRecord {
  const { certname, type, title, parameters } = row as JsonObject;
  return {
    certname: String(certname),
    type: String(type),
    title: String(title),
    parameters: (parameters ?? {}) as JsonObject,
  };
}
