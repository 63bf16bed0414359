/** The thread that parses everything an environment has: the main thread has agents to serve. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import {
  type Diagnostic,
  PuppetError,
  parseAndValidate,
  parseAndValidateEpp,
  parseAndValidatePlan,
  renderPosition,
} from '../../../language/syntax/index.ts';
import { decodeYaml, parseYaml, YamlError } from '../../../lib/yaml/index.ts';
import { answerOnce } from '../../../platform/threads/index.ts';
import type { SyntaxCheckData } from './check-syntax.ts';
import type { ServedFile } from './served-files.ts';

answerOnce(({ files, level, strict }: SyntaxCheckData) =>
  files.flatMap((file) => findingsIn(file, level, strict)),
);

function findingsIn(
  { kind, path }: ServedFile,
  level: SyntaxCheckData['level'],
  strict: SyntaxCheckData['strict'],
): readonly string[] {
  const several: string[] = [];
  const log = (finding: Diagnostic): void => {
    // Warnings keep nothing from being served.
    if (finding.severity === 'error') several.push(finding.message + renderPosition(finding));
  };
  const options = { level, strict, maxErrors: 10, maxWarnings: 0, maxDeprecations: 0, log };
  try {
    const bytes = readFileSync(path);
    if (kind === 'data' || (kind === 'plan' && !path.endsWith('.pp'))) {
      parseYaml(decodeYaml(bytes));
      return [];
    }
    if (!isUtf8(bytes)) return [`invalid byte sequence in UTF-8${renderPosition({ file: path })}`];
    const text = bytes.toString('utf8');
    if (kind === 'plan') parseAndValidatePlan({ file: path, text }, options);
    else if (kind === 'manifest') parseAndValidate({ file: path, text }, options);
    else parseAndValidateEpp({ file: path, text }, options);
    return [];
  } catch (error) {
    if (error instanceof PuppetError) return several.length > 0 ? several : [error.message];
    if (error instanceof YamlError) return [error.messageFor(path)];
    return [`${path}: ${(error as Error).message}`];
  }
}
