/** Commands that compare YAML files with the primary: `plan` and `apply`. */

import type { z } from 'zod';
import { decodeYaml, parseYaml, YamlError, yamlAsJson } from '../lib/yaml/index.ts';
import { UsageError } from './command.ts';
import { outputFormat } from './output-format.ts';
import { type CommandLine, readCommandLine } from './own-options.ts';

/** @param name - of the file, for messages @throws Error naming the file and its mistakes */
export function parseYamlFile<T>(shape: z.ZodType<T>, content: Uint8Array, name: string): T {
  let value: unknown;
  try {
    value = JSON.parse(yamlAsJson(parseYaml(decodeYaml(content))));
  } catch (error) {
    if (error instanceof YamlError) throw new Error(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name}: ${result.error.issues.map(mistake).join('; ')}`);
}

function mistake({ message, path }: z.core.$ZodIssue): string {
  return `${path.map(String).join('.') || 'the file'}: ${message}`;
}

/** The line of `apply`. @param options - of the connection @throws UsageError */
export function readApplyLine(args: readonly string[], options: readonly string[]): CommandLine {
  const line = readCommandLine(args, { withValue: [...options, '--format', '-F'], flags: [] });
  outputFormat(line);
  if (line.positional.length === 0) throw new UsageError('name a file');
  return line;
}

/** The line of `plan`, whose exit code 2 means changes: wrong usage ends with 1. @throws Error */
export function readPlanLine(args: readonly string[], options: readonly string[]): CommandLine {
  try {
    return readApplyLine(args, options);
  } catch (error) {
    throw error instanceof UsageError ? new Error(error.message, { cause: error }) : error;
  }
}
