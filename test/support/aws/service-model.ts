/** What AWS's own command line (botocore) knows of a service: judges requests and answers of the query protocol by it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sax from 'sax';

/** Debian's package `awscli` has them. */
export const modelDirectory = '/usr/lib/python3/dist-packages/awscli/botocore/data';

interface Shape {
  readonly type: string;
  readonly members?: Readonly<Record<string, { readonly shape: string; readonly locationName?: string }>>;
  readonly member?: { readonly shape: string };
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly error?: { readonly code: string; readonly httpStatusCode: number };
}

interface Model {
  readonly metadata: { readonly xmlNamespace: string };
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly input?: { readonly shape: string };
        readonly output?: { readonly shape: string; readonly resultWrapper?: string };
        readonly errors?: readonly { readonly shape: string }[];
      }
    >
  >;
  readonly shapes: Readonly<Record<string, Shape>>;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children: Element[];
  text: string;
}

/** Any operation may be answered with these. @see "Common Error Types" in the API references of AWS */
const commonErrors = new Set([
  'AccessDenied',
  'InternalFailure',
  'InvalidAction',
  'InvalidClientTokenId',
  'RequestExpired',
  'ServiceUnavailable',
  'SignatureDoesNotMatch',
  'Throttling',
  'ValidationError',
]);

export class ServiceModel {
  private readonly model: Model;

  /** @param path - below the directory of models: `autoscaling/2011-01-01` */
  constructor(path: string) {
    this.model = JSON.parse(readFileSync(join(modelDirectory, path, 'service-2.json'), 'utf8')) as Model;
  }

  /** Defects of a request. */
  problemsOfRequest(form: URLSearchParams): readonly string[] {
    const action = form.get('Action') ?? '';
    const shape = this.model.operations[action]?.input?.shape;
    if (shape === undefined) return [`${action} is no operation`];
    const given = [...form].filter(([name]) => name !== 'Action' && name !== 'Version');
    const wrong = given.flatMap(([name, value]) => this.problemsOfValue(shape, name.split('.'), value, name));
    const names = new Set(given.map(([name]) => name.split('.')[0]));
    const missing = (this.shape(shape).required ?? []).filter((name) => !names.has(name));
    return [...wrong, ...missing.map((name) => `${action}.${name} is missing`)];
  }

  /** Defects of an answer to `action`. */
  problemsOfAnswer(
    action: string,
    answer: { readonly status: number; readonly body: string },
  ): readonly string[] {
    const { body, status } = answer;
    const root = parseXml(body);
    const operation = this.model.operations[action];
    if (operation === undefined) return [`${action} is no operation`];
    if (status !== 200) return this.problemsOfError(action, root, status);
    const wrapper = operation.output?.resultWrapper;
    const result = root.children.find(({ name }) => name === wrapper);
    const wrong =
      wrapper === undefined
        ? []
        : result === undefined
          ? [`${wrapper} is missing`]
          : this.problemsOfElement(operation.output?.shape ?? '', result, action);
    return [
      ...(root.name === `${action}Response` ? [] : [`${root.name} is no ${action}Response`]),
      ...(root.attributes['xmlns'] === this.model.metadata.xmlNamespace ? [] : ['another namespace']),
      ...wrong,
    ];
  }

  private problemsOfError(action: string, root: Element, status: number): readonly string[] {
    const error = root.children.find(({ name }) => name === 'Error');
    const code = error?.children.find(({ name }) => name === 'Code')?.text ?? '';
    const own = (this.model.operations[action]?.errors ?? []).map(({ shape }) => this.shape(shape).error);
    const known = own.find((one) => one?.code === code);
    if (known === undefined) return commonErrors.has(code) ? [] : [`${action} has no error ${code}`];
    return known.httpStatusCode === status
      ? []
      : [`${code} has the status ${known.httpStatusCode}, not ${status}`];
  }

  private problemsOfValue(
    name: string,
    [first = '', ...rest]: readonly string[],
    value: string,
    path: string,
  ): readonly string[] {
    const { member, members, type } = this.shape(name);
    if (type === 'structure') {
      const found = members?.[first];
      return found === undefined
        ? [`${path} is not known`]
        : this.problemsOfValue(found.shape, rest, value, path);
    }
    if (type === 'list') {
      const [index = '', ...inner] = rest;
      if (first !== 'member' || !/^[1-9]\d*$/.test(index)) return [`${path} is no member of a list`];
      return this.problemsOfValue(member?.shape ?? '', inner, value, path);
    }
    return first === '' ? this.problemsOfText(name, value, path) : [`${path} is no ${type}`];
  }

  private problemsOfElement(name: string, element: Element, path: string): readonly string[] {
    const { member, members, required = [], type } = this.shape(name);
    const { children } = element;
    if (type === 'list')
      return children.flatMap((child) =>
        child.name === 'member'
          ? this.problemsOfElement(member?.shape ?? '', child, `${path}.member`)
          : [`${path}.${child.name} is no member`],
      );
    if (type !== 'structure') return this.problemsOfText(name, element.text, path);
    const there = new Set(children.map((child) => child.name));
    return [
      ...children.flatMap((child) => {
        const found = members?.[child.name];
        const inner = `${path}.${child.name}`;
        return found === undefined
          ? [`${inner} is not known`]
          : this.problemsOfElement(found.shape, child, inner);
      }),
      ...required.filter((one) => !there.has(one)).map((one) => `${path}.${one} is missing`),
    ];
  }

  private problemsOfText(name: string, text: string, path: string): readonly string[] {
    const { enum: words, type } = this.shape(name);
    const isRight =
      type === 'boolean'
        ? /^(true|false)$/.test(text)
        : type === 'integer'
          ? /^-?\d+$/.test(text)
          : type === 'double'
            ? !Number.isNaN(Number(text))
            : type === 'timestamp'
              ? !Number.isNaN(Date.parse(text))
              : words === undefined || words.includes(text);
    return isRight ? [] : [`${path}: ${text} is no ${name}`];
  }

  private shape(name: string): Shape {
    const shape = this.model.shapes[name];
    if (shape === undefined) throw new Error(`no shape ${name}`);
    return shape;
  }
}

function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = sax.parser(true, { trim: true });
  parser.onopentag = ({ attributes, name }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.ontext = (piece) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += piece;
  };
  parser.onclosetag = () => {
    open.pop();
  };
  parser.write(text).close();
  return root.children[0] ?? root;
}
