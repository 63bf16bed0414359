/** Catalogs with groups as they are, and as a change would make them. */

import { type Classifier, decodeChanges, LocalClassifiedNodes } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { GroupCatalogsSource } from '../../services/console/index.ts';
import { type ComparisonTermini, compileForComparison } from '../compiler/compile-for-comparison.ts';
import { findUsualEnvironment } from './console-fleet.ts';

export function consoleGroupCatalogs(
  termini: ComparisonTermini,
  classifier: Pick<Classifier, 'hierarchy' | 'tryOutAll'>,
  puppetDb: PuppetDbTerminus,
): GroupCatalogsSource {
  const compileWith = (hierarchy: Classifier['hierarchy']) =>
    compileForComparison({ ...termini, nodes: new LocalClassifiedNodes({ hierarchy }) });
  return {
    tryOut(changes) {
      const [before, after] = [
        compileWith(classifier.hierarchy),
        compileWith(classifier.tryOutAll(decodeChanges(changes))),
      ];
      return async (certname, signal) => {
        const usualEnvironment = await findUsualEnvironment(puppetDb, certname, signal);
        const node = { certname, environment: undefined, usualEnvironment };
        return { before: await before(node, signal), after: await after(node, signal) };
      };
    },
  };
}
