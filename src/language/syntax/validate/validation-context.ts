/** What a check may ask, and where it puts what it finds. */

import type { LanguageLevel } from '../../levels/index.ts';
import type { AstNode, SourceText } from '../ast.ts';
import type { Diagnostic, Position } from '../diagnostic.ts';
import { type IssueCode, type IssueValues, issueText } from '../issues.ts';
import { Locator } from '../locator.ts';

/** How bad some mistakes are depends on settings; see `ValidationOptions`. */
export type Severity = Diagnostic['severity'] | 'ignore';

export class ValidationContext {
  readonly source: SourceText;
  readonly found: Diagnostic[] = [];
  /** The nodes around the one that is checked, from the program to its container. */
  readonly path: AstNode[] = [];
  /** Whether what is checked is a plan, not a manifest. */
  readonly isPlan: boolean;
  readonly level: LanguageLevel;
  private readonly locator: Locator;
  private readonly severities: ReadonlyMap<IssueCode, Severity>;

  constructor(
    source: SourceText,
    severities: ReadonlyMap<IssueCode, Severity>,
    { isPlan, level }: { readonly isPlan: boolean; readonly level: LanguageLevel },
  ) {
    this.source = source;
    this.isPlan = isPlan;
    this.level = level;
    this.locator = new Locator(source);
    this.severities = severities;
  }

  /** The container of the node that is checked; further ones with a higher `level`. */
  container(level = 1): AstNode | undefined {
    return this.path.at(-level);
  }

  /** Where a node is. */
  position(at: AstNode): Position {
    return this.locator.position(at.offset);
  }

  /** Notes an issue at a node. */
  report<C extends IssueCode>(code: C, at: AstNode, values: IssueValues[C]): void {
    const severity = this.severities.get(code) ?? 'error';
    if (severity === 'ignore') return;
    const message = issueText(code, values);
    this.found.push({ code, severity, message, ...this.position(at) });
  }
}
