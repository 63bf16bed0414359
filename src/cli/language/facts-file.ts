/** Files of facts that commands are given. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { jsonText } from '../../lib/json-bytes.ts';
import { keepNumber } from '../../lib/raw-json.ts';
import { decodeYaml, isYamlMap, parseYaml, YamlError, yamlAsJson } from '../../lib/yaml/index.ts';
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
  return /\.ya?ml$/.test(file) ? fromYaml(readBytes(file), file) : parseObject(file, parseExact);
}

/** @throws UsageError when the file does not hold a JSON object */
export function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  return parseObject(file, JSON.parse);
}

/** @throws UsageError when it can't be read, or is not UTF-8 */
export function readText(file: string): string {
  const bytes = readBytes(file);
  if (!isUtf8(bytes)) throw new UsageError(`${file} is not UTF-8`);
  return bytes.toString('utf8');
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** Numbers become objects that `JSON.stringify` writes as they were: `4096.0` is a Float, and must stay one. */
function parseExact(text: string): unknown {
  return JSON.parse(text, keepNumber);
}

function parseObject(file: string, parse: (text: string) => unknown): Readonly<Record<string, unknown>> {
  const text = jsonText(readBytes(file));
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  if (isRecord(parsed)) return parsed;
  throw new UsageError(`${file} does not hold a JSON object`);
}

function fromYaml(bytes: Uint8Array, file: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseYaml(decodeYaml(bytes));
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
