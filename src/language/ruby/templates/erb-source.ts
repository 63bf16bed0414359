/**
 * ERB as Ruby source: what `ERB.new(text, trim_mode: '-').src` makes, but the comment in front and the result at
 * the end, with the plain texts kept apart.
 */

export interface ErbProgram {
  /** Ruby code whose lines are those of the template. */
  readonly source: string;
  /** What stands between the tags; `TEXT_CALL(n)` in the source writes the nth. */
  readonly texts: readonly string[];
}

/** A name that no template uses. */
export const TEXT_CALL = '_bunraku_text';

type Tag = '<%' | '<%=' | '<%#';

// In Ruby `^` is true where the scanner stands, too.
const START = /([\s\S]*?)((?<![^\n])[ \t]*<%-|<%-|<%%|<%=|<%#|<%|$(?![\s\S]))/y;
const END = /([\s\S]*?)(-%>|%%>|%>|$(?![\s\S]))/y;
const LINE_END = /\r?\n|$(?![\s\S])/y;

/** Splits a template and writes the program. Tags that are left open swallow the rest, as in Ruby. */
export function erbProgram(template: string): ErbProgram {
  const writer = new ProgramWriter();
  let rest = template;
  while (rest !== '') {
    const pattern = writer.isInTag ? END : START;
    pattern.lastIndex = 0;
    const [whole = '', before = '', token = ''] = pattern.exec(rest) ?? [];
    rest = rest.slice(whole.length);
    writer.token(before);
    if (token.endsWith('<%-')) writer.token('<%');
    else if (token !== '-%>') writer.token(token);
    else {
      writer.token('%>');
      LINE_END.lastIndex = 0;
      const end = LINE_END.exec(rest);
      if (end !== null) {
        rest = rest.slice(end[0].length);
        writer.endLine();
      }
    }
  }
  return writer.close();
}

class ProgramWriter {
  private tag: Tag | undefined;
  private content = '';
  private line: string[] = ["_erbout = +''"];
  private script = '';
  private readonly texts: string[] = [];

  get isInTag(): boolean {
    return this.tag !== undefined;
  }

  token(token: string): void {
    if (token === '') return;
    if (this.tag === undefined) this.outside(token);
    else this.inside(token, this.tag);
  }

  endLine(): void {
    this.script += `${this.line.join('; ')}\n`;
    this.line = [];
  }

  close(): ErbProgram {
    this.put();
    this.script += this.line.join('; ');
    return { source: this.script, texts: this.texts };
  }

  private outside(token: string): void {
    switch (token) {
      case '<%':
      case '<%=':
      case '<%#':
        this.tag = token;
        this.put();
        break;
      case '\n':
        this.content += '\n';
        this.put();
        break;
      case '<%%':
        this.content += '<%';
        break;
      default:
        this.content += token;
    }
  }

  private inside(token: string, tag: Tag): void {
    if (token === '%>') {
      this.closeTag(tag);
      this.tag = undefined;
      this.content = '';
    } else this.content += token === '%%>' ? '%>' : token;
  }

  private closeTag(tag: Tag): void {
    if (tag === '<%=') this.line.push(`_erbout.<<((${this.content}).to_s)`);
    if (tag !== '<%') return;
    if (!this.content.endsWith('\n')) {
      this.line.push(this.content);
      return;
    }
    this.line.push(this.content.replace(/\r?\n$/, ''));
    this.endLine();
  }

  /** Line ends of the text are repeated, so that lines of the program are those of the template. */
  private put(): void {
    if (this.content === '') return;
    const lineEnds = '\n'.repeat(this.content.split('\n').length - 1);
    this.line.push(`${TEXT_CALL}(${this.texts.length})${lineEnds}`);
    this.texts.push(this.content);
    this.content = '';
  }
}
