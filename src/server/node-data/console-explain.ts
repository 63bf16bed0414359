/** The source of the console's explanations: a compile of the node, and its groups. */

import { type Classifier, givingGroups, storedNode } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { ExplainSource, GivenByGroup } from '../../services/console/index.ts';
import { commitOf } from '../../services/filesync/index.ts';
import type { ExplainNode } from '../compiler/explain-compile.ts';
import { knownNodes } from '../nodes/known-nodes.ts';
import { findUsualEnvironment } from './console-fleet.ts';

export interface ExplainParts {
  readonly puppetDb: PuppetDbTerminus;
  readonly explain: ExplainNode;
  /** Absent without our classifier. */
  readonly classifier: Pick<Classifier, 'hierarchy'> | undefined;
}

export function consoleExplain({ classifier, explain, puppetDb }: ExplainParts): ExplainSource {
  const known = knownNodes(puppetDb);
  return {
    commitOf,
    async ask(certname, environment, question, signal) {
      const usualEnvironment = await findUsualEnvironment(puppetDb, certname, signal);
      return await explain({ certname, environment, usualEnvironment }, question, signal);
    },
    ...(classifier === undefined
      ? {}
      : {
          async givingGroups(certname, given, signal) {
            const node = await storedNode(known, certname, signal);
            const found = givingGroups(classifier.hierarchy, node, (group) => gives(group, given));
            return found.map(({ id, name }) => ({ id, name }));
          },
        }),
  };
}

type Group = Parameters<Parameters<typeof givingGroups>[2]>[0];

function gives({ classes, configData }: Group, given: GivenByGroup): boolean {
  const values = given.kind === 'data' ? configData : classes;
  const found = Object.entries(values).find(
    ([name]) => name.replace(/^::/, '').toLowerCase() === given.className.toLowerCase(),
  );
  if (found === undefined || given.kind === 'class') return found !== undefined;
  return Object.hasOwn(found[1], given.parameter);
}
