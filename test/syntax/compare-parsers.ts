/** Reads texts with our parser and with the Puppet that is installed, and makes the results comparable. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  type AstNode,
  assertValid,
  type Diagnostic,
  dump,
  Locator,
  type Program,
  PuppetError,
  parseEpp,
  parseManifest,
  renderPosition,
  validate,
  visitChildren,
} from '../../src/language/syntax/index.ts';

export interface SyntaxCase {
  readonly id: number;
  readonly file: string;
  readonly text: string;
  readonly epp: boolean;
}

/** A dump or an error, and what was logged, as `level: text (position)`. */
export interface ReferenceResult {
  readonly dump?: string;
  /** Every node that has text, as `Kind@line:column`. */
  readonly places?: string;
  readonly error?: string;
  readonly logs: readonly string[];
}

export function readWithBunraku({ file, text, epp }: SyntaxCase): ReferenceResult {
  const logs: string[] = [];
  const log = (diagnostic: Diagnostic): void => {
    const { line, column } = diagnostic;
    const at = line === undefined || column === undefined ? {} : { line, column };
    logs.push(
      `${diagnostic.severity === 'error' ? 'err' : 'warning'}: ${diagnostic.message}${renderPosition(at)}`,
    );
  };
  try {
    const program = (epp ? parseEpp : parseManifest)({ file, text });
    assertValid(program, validate(program), { log });
    return { dump: dump(program), places: places(program), logs };
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    for (const found of error.all) if (found.severity !== 'error') log(found);
    return { error: error.message, logs };
  }
}

/** A template is a lambda to the reference, and the number of a match variable a name. */
function places(program: Program): string {
  const locator = new Locator(program.source);
  const found: string[] = [];
  const visit = (node: AstNode): void => {
    if (node.kind === 'Nop') return;
    const at = `${locator.line(node.offset)}:${locator.column(node.offset)}`;
    found.push(`${node.kind}@${at}`);
    if (node.kind === 'EppExpression') {
      found[found.length - 1] = `LambdaExpression@${at}`;
      for (const parameter of node.parameters) visit(parameter);
      found.push(`EppExpression@${at}`);
      visit(node.body);
    } else if (node.kind === 'VariableExpression' && node.expr.kind === 'LiteralInteger') {
      found.push(`QualifiedName@${locator.line(node.expr.offset)}:${locator.column(node.expr.offset)}`);
    } else {
      visitChildren(node, visit);
    }
  };
  visitChildren(program, visit);
  return found.join(' ');
}

/** One Ruby process reads all. Results are in the order of the cases. */
export async function readWithPuppet(cases: readonly SyntaxCase[]): Promise<readonly ReferenceResult[]> {
  const script = new URL('reference-parser.rb', import.meta.url).pathname;
  const ruby = spawn('ruby', ['--disable-error_highlight', '--disable-did_you_mean', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LANG: 'C.UTF-8' },
  });
  ruby.stdin.end(cases.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const results: ReferenceResult[] = [];
  for await (const line of createInterface({ input: ruby.stdout })) results.push(decode(line));
  return results;
}

interface WireResult {
  readonly dump?: string;
  readonly places?: string;
  readonly error?: { readonly message: string };
  readonly crash?: string;
  readonly logs: readonly {
    readonly level: string;
    readonly message: string;
    readonly line: number | null;
    readonly column: number | null;
  }[];
}

function decode(line: string): ReferenceResult {
  const wire = JSON.parse(line) as WireResult;
  const logs = wire.logs.map(({ level, message, line: at, column }) => {
    const position = at === null || column === null ? {} : { line: at, column };
    return `${level}: ${message}${renderPosition(position)}`;
  });
  if (wire.dump !== undefined) return { dump: wire.dump, places: wire.places ?? '', logs };
  return { error: wire.error?.message ?? `crash: ${wire.crash}`, logs };
}
