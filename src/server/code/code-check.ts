/** Whether staged code is fit to be served: its syntax, and the catalogs of nodes that were chosen. */

import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type CodeCheck, type CodeCheckRequest, checkSyntax } from '../../services/code-manager/index.ts';
import type { FactsTerminus, NodeTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import { declaredLevel } from '../../services/environments/index.ts';
import { languageSettings } from '../compiler/language-settings.ts';
import { compileOffline } from '../compiler/offline-compile.ts';
import { workerFile } from '../worker-files.ts';

export interface CodeCheckTermini {
  readonly findFacts: FactsTerminus['find'];
  /** Who says what classes a node has. */
  readonly classifier: NodeTerminus;
  /** What code asks while it is compiled. */
  readonly puppetDb: PuppetDbTerminus | undefined;
  /** What a node's certificate says, which manifests trust; nothing when there is none. */
  readonly extensions: (certname: string) => Promise<Readonly<Record<string, string>>>;
}

export function codeCheck(settings: Settings, termini: CodeCheckTermini, log: Logger): CodeCheck {
  return {
    async check(request) {
      const { directory, nodes, signal } = request;
      const workerUrl = workerFile('code-syntax-worker');
      const findings = await checkSyntax({
        directory,
        ...languageSettings(settings, await declaredLevel(directory)),
        workerUrl,
        signal,
      });
      if (findings.length > 0) return findings;
      const failures: string[] = [];
      for (const certname of nodes) {
        signal.throwIfAborted();
        failures.push(...(await compile(certname, request, { ...termini, settings, log })));
      }
      return failures;
    },
  };
}

interface Means extends CodeCheckTermini {
  readonly settings: Settings;
  readonly log: Logger;
}

/** @returns why the catalog does not compile */
async function compile(
  certname: string,
  { directory, environment, signal }: CodeCheckRequest,
  { classifier, extensions, findFacts, log, puppetDb, settings }: Means,
): Promise<readonly string[]> {
  const stored = await findFacts(certname, signal);
  if (stored === undefined) return [`There are no facts of ${certname}, whose catalog was to be compiled`];
  try {
    const known = { certname, environment, facts: stored };
    const node = await classifier.find(known, signal);
    if (node === undefined) return [`No node classifier knows ${certname}, whose catalog was to be compiled`];
    await compileOffline(
      {
        certname,
        directory,
        environment,
        facts: stored.exactValues ?? JSON.stringify(stored.values),
        trustedExtensions: await extensions(certname),
        node,
        format: 'json',
        puppetDb,
      },
      settings,
      log,
    );
    return [];
  } catch (error) {
    signal.throwIfAborted();
    return [`The catalog of ${certname} does not compile: ${(error as Error).message}`];
  }
}
