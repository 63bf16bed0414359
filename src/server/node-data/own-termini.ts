/** What the PuppetDB in this process gives code while it is compiled. */

import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { PuppetDb } from '../../services/puppetdb/index.ts';
import {
  decodeFactRows,
  factsFailure,
  notExecuted,
  resourcesFailure,
  statusText,
  terminusPaths,
} from '../../services/puppetdb-client/index.ts';
import { puppetDbPort } from '../ports/port-numbers.ts';
import { collectsExported, type UsedPuppetDb } from './used-puppetdb.ts';

type OwnSettings = Pick<
  Settings,
  'certname' | 'confDir' | 'puppetDbPort' | 'serverPort' | 'storeConfigs' | 'storeConfigsBackend'
>;

/** Asks it by its functions. Failures have the words of the reference's terminus, which name the port that it has. */
export function ownPuppetDb(
  settings: OwnSettings,
  puppetDb: Pick<PuppetDb, 'queryText'>,
  log: Logger,
): UsedPuppetDb {
  const port = puppetDbPort(settings);
  const origin = `https://${settings.certname}:${port === 0 ? 8081 : port}`;
  const notAnswered = (path: string, error: ServiceError): string => {
    log.warn({ error: error.message }, 'PuppetDB cannot be reached');
    return notExecuted(path, 1, [origin]);
  };
  const query = async (text: string, signal: AbortSignal): Promise<string> => {
    try {
      return await puppetDb.queryText({ kind: 'root', query: JSON.parse(text) as Json }, signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The reference returns PuppetDB's error text as the result of a wrong query.
      if (error.reason === 'bad-request') return error.message;
      throw new ServiceError('unavailable', notAnswered(terminusPaths.query, error));
    }
  };
  const findResources = async (text: string, signal: AbortSignal): Promise<string> => {
    try {
      const condition = JSON.parse(text) as readonly Json[];
      return await puppetDb.queryText({ kind: 'rows', entity: 'resources', query: condition }, signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const isMistake = error.reason === 'bad-request';
      const why = isMistake
        ? statusText({ status: 400, text: error.message })
        : notAnswered(terminusPaths.resources(text), error);
      throw resourcesFailure(origin, why);
    }
  };
  return {
    compiler: collectsExported(settings) ? { findResources, query } : { query },
    async findFacts(certname, signal) {
      try {
        return decodeFactRows(certname, await puppetDb.queryText(factsOf(certname), signal));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.reason === 'not-found') return undefined;
        throw factsFailure(notAnswered(terminusPaths.facts(certname), error));
      }
    },
    close: () => {},
  };
}

function factsOf(certname: string): Parameters<PuppetDb['queryText']>[0] {
  return {
    kind: 'rows',
    entity: 'facts',
    conditions: [['=', 'certname', certname]],
    required: [{ label: 'node', entity: 'nodes', field: 'certname', value: certname }],
  };
}
