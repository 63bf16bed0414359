/** Files of facts that commands are given. */

import { readFileSync } from 'node:fs';
import { keepNumber } from '../../lib/raw-json.ts';
import { isYamlMap, parseYaml, YamlError, yamlAsJson } from '../../lib/yaml/index.ts';
import { UsageError } from '../command.ts';

/** Facts by name; `text` is their JSON, numbers in the form that they have in the file. */
export interface GivenFacts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Reads JSON or YAML: what `puppet facts` or `facter` prints, or `{"name", "values"}`.
 *
 * @throws UsageError when it can't be read or is something else
 */
export function readFactsFile(file: string): GivenFacts {
  const parsed = readDataFile(file);
  const { values } = parsed;
  return isRecord(values)
    ? { values, text: JSON.stringify(values) }
    : { values: parsed, text: JSON.stringify(parsed) };
}

/**
 * Reads a hash, YAML where the name of the file says so, else JSON. `JSON.stringify` writes its numbers as they are in the file.
 *
 * @throws UsageError when it can't be read or is something else
 */
export function readDataFile(file: string): Readonly<Record<string, unknown>> {
  return /\.ya?ml$/.test(file) ? fromYaml(readText(file), file) : parseObject(file, parseExact);
}

/** @throws UsageError when the file does not hold a JSON object */
export function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  return parseObject(file, JSON.parse);
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** Numbers become objects that `JSON.stringify` writes as they were: `4096.0` is a Float, and must stay one. */
function parseExact(text: string): unknown {
  return JSON.parse(text, keepNumber);
}

function parseObject(file: string, parse: (text: string) => unknown): Readonly<Record<string, unknown>> {
  const text = readText(file);
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  if (isRecord(parsed)) return parsed;
  throw new UsageError(`${file} does not hold a JSON object`);
}

function fromYaml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseYaml(text);
    if (isYamlMap(value)) return parseExact(yamlAsJson(value)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof YamlError) throw new UsageError(error.messageFor(file));
    throw error;
  }
  throw new UsageError(`${file} does not hold a hash`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
