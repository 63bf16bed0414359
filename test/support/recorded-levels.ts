/** What the recordings of each language level were made with: versions, and the facts that agents of that version send. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  isLevelNumber,
  type LanguageLevel,
  type LevelNumber,
  languageLevel,
} from '../../src/language/levels/index.ts';
import type { Json } from '../../src/lib/json.ts';

type Facts = Readonly<Record<string, Json>>;

/** The beta whose sources the recordings of level 9 were made with. */
const RECORDED_VERSIONS: Readonly<Record<LevelNumber, string>> = {
  7: '7.23.0',
  8: '8.28.1',
  9: '9.0.0-beta2',
};
const LEGACY_FACTS = path.join(import.meta.dirname, '../recorded/fleet/openvox8/legacy-facts.json');

export interface RecordedLevel {
  readonly level: LanguageLevel;
  /** The version that server and agent had. */
  readonly version: string;
}

/** @param option - the value of `--level`, `7` when absent */
export function recordedLevel(option: string | undefined): RecordedLevel {
  const number = Number(option ?? 7);
  if (!isLevelNumber(number)) throw new Error(`there is no language level ${option}`);
  const level = { ...languageLevel(number), puppetVersion: RECORDED_VERSIONS[number] };
  return { level, version: level.puppetVersion };
}

/** What the server says of itself while it compiles for a recording. */
export function recordedServerFacts({ level, version }: RecordedLevel): Facts {
  return {
    ...(level.implementation === undefined ? {} : { serverimplementation: level.implementation }),
    serverversion: version,
    servername: 'puppet.example.com',
    serverip: '192.0.2.10',
    serverip6: '2001:db8::10',
  };
}

/** The facts of a Puppet 7 agent as an agent of the level sends them: without legacy facts from 8 on. */
export function factsOfAgent<T>(facts: Readonly<Record<string, T>>, recorded: RecordedLevel) {
  const { level, version } = recorded;
  if (level.implementation === undefined) return facts;
  const isLegacy = legacyFacts();
  const kept = Object.entries(facts)
    .filter(([name]) => !isLegacy.test(name))
    .map(([name, value]) => [name, VERSIONED.has(name) ? version : value] as const);
  return Object.fromEntries<T | string>([...kept, ['implementation', level.implementation]]);
}

const VERSIONED: ReadonlySet<string> = new Set(['clientversion', 'puppetversion']);

function legacyFacts(): RegExp {
  const { names, patterns } = JSON.parse(readFileSync(LEGACY_FACTS, 'utf8')) as {
    readonly names: readonly string[];
    readonly patterns: readonly string[];
  };
  return new RegExp(`^(?:${[...names, ...patterns].join('|')})$`);
}
