/** YAML whose readers have to know how text was written. */

import {
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { parseYaml } from './parse-yaml.ts';
import { plainScalar } from './scalar.ts';
import { type StyledYaml, YamlFloat, YamlText } from './value.ts';
import { YamlError } from './yaml-error.ts';

/**
 * The first document of a text, `null` when there is none. Tags have no meaning, and aliases are refused.
 *
 * @throws YamlError when Ruby would not read it
 */
export function parseStyledYaml(text: string): StyledYaml {
  // It knows everything that Ruby refuses.
  parseYaml(text);
  try {
    const [, ...events] = parseEvents(text, {});
    return new StyledReader(text, events).value();
  } catch (error) {
    if (error instanceof YAMLException) throw new YamlError('value', error.message);
    throw error;
  }
}

class StyledReader {
  private readonly text: string;
  private readonly events: readonly Event[];
  private at = 0;

  constructor(text: string, events: readonly Event[]) {
    this.text = text;
    this.events = events;
  }

  value(): StyledYaml {
    const event = this.events[this.at++];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.scalar(event);
      case EVENT_ID.SEQUENCE:
        return this.items(() => this.value());
      case EVENT_ID.MAPPING:
        return new Map(this.items(() => [keyText(this.value()), this.value()] as const));
      case EVENT_ID.ALIAS:
        throw new YamlError('value', `Unknown alias: ${this.text.slice(event.anchorStart, event.anchorEnd)}`);
      default:
        return null;
    }
  }

  private items<T>(next: () => T): readonly T[] {
    const items: T[] = [];
    while (this.events[this.at] !== undefined && this.events[this.at]?.type !== EVENT_ID.POP)
      items.push(next());
    this.at += 1;
    return items;
  }

  private scalar(event: ScalarEvent): StyledYaml {
    const text = getScalarValue(this.text, event);
    const line = this.text.slice(0, event.valueStart).split('\n').length;
    switch (event.style) {
      case SCALAR_STYLE.PLAIN: {
        const value = plainScalar(text);
        const isScalar = value === null || typeof value !== 'object' || value instanceof YamlFloat;
        return isScalar && typeof value !== 'string' ? value : new YamlText(text, 'plain', line);
      }
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return new YamlText(text, 'double', line);
      case SCALAR_STYLE.LITERAL_BLOCK:
        return new YamlText(text, 'block', line);
      default:
        return text;
    }
  }
}

function keyText(key: StyledYaml): string {
  return key instanceof YamlText ? key.text : String(key);
}
