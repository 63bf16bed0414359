/** YAML as Ruby's `YAML.safe_load(text, permitted_classes: [Symbol], aliases: true)` reads it. */

import {
  type AliasEvent,
  COLLECTION_STYLE,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from 'js-yaml';
import { readAsLibyaml } from './libyaml-grammar.ts';
import { plainScalar } from './scalar.ts';
import { isOrderedMapTag, refuseClassTag, refuseStringMap, resolveTag, taggedScalar } from './tag.ts';
import { isYamlList, isYamlMap, YamlBinary, YamlFloat, YamlSymbol, type YamlValue } from './value.ts';
import { YamlError } from './yaml-error.ts';

const MAX_DEPTH = 500;
/** What libyaml may refuse though our parser does not: keys that are missing, tabs, ends of documents, odd escapes. */
const SUSPICIOUS = /^[ \t]*:(?=\s|$)|^ *\t|^\.\.\.|\\(?:u[Dd][89A-Fa-f]|U)/m;

/**
 * The first document of a text, `null` when there is none.
 *
 * @throws YamlError when Ruby would not read it
 */
export function parseYaml(text: string): YamlValue {
  if (SUSPICIOUS.test(text)) refuseAsLibyaml(text);
  const {
    events: [first, ...rest],
    text: read,
  } = readEvents(text);
  if (first?.type !== EVENT_ID.DOCUMENT) return null;
  try {
    return new Constructor(read, first, rest).value();
  } catch (error) {
    // A mistake anywhere is told before anything that is made of the text.
    if (error instanceof YamlError) refuseAsLibyaml(text);
    throw error;
  }
}

interface ReadEvents {
  /** What the places of the events are in. */
  readonly text: string;
  readonly events: readonly Event[];
}

function readEvents(text: string): ReadEvents {
  try {
    return { text, events: parseEvents(text, { maxDepth: MAX_DEPTH }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Users know libyaml's messages from Ruby, which also reads what YAML 1.2 does not allow.
    const outcome = readAsLibyaml(text);
    if (outcome.kind === 'mistake') throw outcome.error;
    if (outcome.text !== text) return readAgain(outcome.text);
    throw new YamlError('syntax', error.reason, placeOf(error, text));
  }
}

function readAgain(text: string): ReadEvents {
  try {
    return { text, events: parseEvents(text, { maxDepth: MAX_DEPTH }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlError('syntax', error.reason, placeOf(error, text));
  }
}

function placeOf({ mark }: YAMLException, text: string): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, mark?.position ?? 0).split(/\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** @throws YamlError when libyaml would not read it */
function refuseAsLibyaml(text: string): void {
  const outcome = readAsLibyaml(text);
  if (outcome.kind === 'mistake') throw outcome.error;
}

type MergeSource = Event['type'] | undefined;

class Constructor {
  private readonly text: string;
  private readonly document: DocumentEvent;
  private readonly events: readonly Event[];
  private readonly anchors = new Map<string, YamlValue>();
  private readonly open = new Set<YamlValue>();
  private readonly identities = new Identities();
  private readonly keys = new Map<string, YamlValue>();
  private at = 0;
  /** How many collections in brackets are open. */
  private flowDepth = 0;

  constructor(text: string, document: DocumentEvent, events: readonly Event[]) {
    this.text = text;
    this.document = document;
    this.events = events;
  }

  value(): YamlValue {
    const event = this.events[this.at++];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.register(event, this.scalar(event));
      case EVENT_ID.SEQUENCE:
        return this.sequence(event);
      case EVENT_ID.MAPPING:
        return this.mapping(event);
      case EVENT_ID.ALIAS:
        return this.alias(event);
      default:
        return null; // an empty document
    }
  }

  private scalar(event: ScalarEvent): YamlValue {
    const text = getScalarValue(this.text, event);
    if (this.flowDepth > 0 && event.style === SCALAR_STYLE.PLAIN && text.startsWith(':')) {
      // Within brackets libyaml takes a colon for the end of a key, whatever follows it.
      refuseAsLibyaml(this.text);
    }
    const tag = this.tagOf(event);
    if (tag !== undefined) return taggedScalar(text, tag);
    return event.style === SCALAR_STYLE.PLAIN ? plainScalar(text) : text;
  }

  private sequence(event: SequenceEvent): YamlValue {
    const tag = this.tagOf(event);
    if (tag !== undefined) refuseClassTag(tag);
    if (tag !== undefined && isOrderedMapTag(tag)) return this.orderedMap(event);
    const list: YamlValue[] = [];
    this.register(event, list);
    this.fill(event, list, () => list.push(this.value()));
    return list;
  }

  /** `!!omap [a: 1, b: 2]` */
  private orderedMap(event: SequenceEvent): YamlValue {
    const map = new Map<YamlValue, YamlValue>();
    this.register(event, map);
    this.fill(event, map, () => {
      const item = this.value();
      if (isYamlMap(item)) for (const [key, value] of item) map.set(key, value);
    });
    return map;
  }

  private mapping(event: MappingEvent): YamlValue {
    const tag = this.tagOf(event);
    if (tag !== undefined) {
      refuseClassTag(tag);
      refuseStringMap(tag);
    }
    const map = new Map<YamlValue, YamlValue>();
    this.register(event, map);
    this.fill(event, map, () => {
      const key = this.key();
      const source: MergeSource = this.events[this.at]?.type;
      const value = this.value();
      if (key !== '<<' || !merge(map, value, source)) map.set(key, value);
    });
    return map;
  }

  private fill({ style }: SequenceEvent | MappingEvent, collection: YamlValue, next: () => void): void {
    const depth = style === COLLECTION_STYLE.FLOW ? 1 : 0;
    this.flowDepth += depth;
    this.open.add(collection);
    while (this.events[this.at] !== undefined && this.events[this.at]?.type !== EVENT_ID.POP) next();
    this.at++;
    this.open.delete(collection);
    this.flowDepth -= depth;
  }

  private alias(event: AliasEvent): YamlValue {
    const name = this.text.slice(event.anchorStart, event.anchorEnd);
    const value = this.anchors.get(name);
    if (value === undefined) throw new YamlError('value', `Unknown alias: ${name}`);
    // Ruby builds the endless structure, and then fails on it.
    if (this.open.has(value)) throw new YamlError('value', 'stack level too deep');
    return value;
  }

  /** Equal keys become identical ones. */
  private key(): YamlValue {
    const value = this.value();
    if (value === null || typeof value !== 'object') return value;
    const identity = this.identities.of(value);
    const known = this.keys.get(identity);
    if (known !== undefined) return known;
    this.keys.set(identity, value);
    return value;
  }

  private register(event: ScalarEvent | SequenceEvent | MappingEvent, value: YamlValue): YamlValue {
    if (event.anchorStart >= 0) this.anchors.set(this.text.slice(event.anchorStart, event.anchorEnd), value);
    return value;
  }

  private tagOf(event: ScalarEvent | SequenceEvent | MappingEvent): string | undefined {
    if (event.tagStart < 0) return undefined;
    return resolveTag(this.text.slice(event.tagStart, event.tagEnd), this.document.directives);
  }
}

/** `<<`: unlike the specification has it, what is merged replaces what stands before it. */
function merge(map: Map<YamlValue, YamlValue>, value: YamlValue, source: MergeSource): boolean {
  if (source === EVENT_ID.SCALAR) return false;
  if (isYamlMap(value)) {
    for (const [key, item] of value) map.set(key, item);
    return true;
  }
  if (source !== EVENT_ID.SEQUENCE || !isYamlList(value) || !value.every(isYamlMap)) return false;
  const merged = new Map<YamlValue, YamlValue>();
  for (const part of value.toReversed()) for (const [key, item] of part) merged.set(key, item);
  for (const [key, item] of merged) map.set(key, item);
  return true;
}

/** Tells which values are equal. Each collection is looked at once, however many others it is a part of. */
class Identities {
  private readonly byShape = new Map<string, string>();
  private readonly byCollection = new WeakMap<object, string>();

  /** @param value - must not change any more @returns the same for equal values */
  of(value: YamlValue): string {
    if (value === null) return 'null';
    if (typeof value === 'string') return JSON.stringify(value);
    if (value instanceof YamlFloat) return `f${value.value}`;
    if (value instanceof YamlSymbol) return `:${JSON.stringify(value.name)}`;
    if (value instanceof YamlBinary) return `b${value.bytes.join()}`;
    if (isYamlList(value))
      return this.collection(value, () => `[${value.map((item) => this.of(item)).join()}]`);
    if (!isYamlMap(value)) return String(value);
    const pairs = () => Array.from(value, ([key, item]) => `${this.of(key)}=${this.of(item)}`);
    return this.collection(value, () => `{${pairs().join()}}`);
  }

  private collection(value: object, shape: () => string): string {
    const known = this.byCollection.get(value);
    if (known !== undefined) return known;
    const text = shape();
    const identity = this.byShape.get(text) ?? `#${this.byShape.size}`;
    this.byShape.set(text, identity);
    this.byCollection.set(value, identity);
    return identity;
  }
}
