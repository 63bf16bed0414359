/** One part of a `multipart/form-data` body, as it arrives. */

/** More than any client needs for the headers of a part. */
const maximumHeaderBytes = 16 * 1024;

const lineEnd = '\r\n';

/** @returns the boundary that a content type names; `undefined` when it is no form */
export function multipartBoundary(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(
    contentType ?? '',
  );
  return match?.[1] ?? match?.[2];
}

/**
 * The content of the part with a name, in pieces; what comes before and after it is dropped. Holds no more than one piece.
 *
 * @throws RangeError when there is no such part, or the body ends within it
 */
export async function* multipartPart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  name: string,
): AsyncIterable<Buffer> {
  const reader = new PieceReader(body);
  const delimiter = `--${boundary}`;
  await drop(reader.until(delimiter));
  for (;;) {
    const headers = await headersOf(reader);
    if (headers === undefined) throw new RangeError(`there is no part '${name}'`);
    const isWanted = partName(headers) === name;
    const content = reader.until(`${lineEnd}${delimiter}`);
    if (isWanted) {
      yield* content;
      // A client that is not done sending would never see the answer.
      await drop(reader.rest());
      return;
    }
    await drop(content);
  }
}

async function drop(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of pieces);
}

/** @returns `undefined` after the last part */
async function headersOf(reader: PieceReader): Promise<string | undefined> {
  let text = '';
  for await (const piece of reader.until(lineEnd)) {
    text += piece.toString('latin1');
    if (text.startsWith('--')) return undefined;
    if (text.length > maximumHeaderBytes) throw new RangeError('a boundary is followed by too much');
  }
  let headers = '';
  for (;;) {
    let line = '';
    for await (const piece of reader.until(lineEnd)) {
      line += piece.toString('utf8');
      if (headers.length + line.length > maximumHeaderBytes)
        throw new RangeError('the headers of a part are too long');
    }
    if (line === '') return headers;
    headers += `${line}\n`;
  }
}

function partName(headers: string): string | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const match = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition);
  return match?.[1] ?? match?.[2];
}

class PieceReader {
  private readonly pieces: AsyncIterator<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** What comes before a mark, which is read over. @throws RangeError when it does not come */
  async *until(mark: string): AsyncIterable<Buffer> {
    for (;;) {
      const at = this.held.indexOf(mark, 0, 'latin1');
      if (at >= 0) {
        const found = this.held.subarray(0, at);
        this.held = this.held.subarray(at + mark.length);
        if (found.length > 0) yield found;
        return;
      }
      // The beginning of the mark may be the end of this piece.
      const sure = this.held.length - (mark.length - 1);
      if (sure > 0) {
        yield this.held.subarray(0, sure);
        this.held = this.held.subarray(sure);
      }
      const next = await this.pieces.next();
      if (next.done === true) throw new RangeError('the form ends too early');
      this.held = Buffer.concat([this.held, next.value]);
    }
  }

  async *rest(): AsyncIterable<Buffer> {
    this.held = Buffer.alloc(0);
    for (let next = await this.pieces.next(); next.done !== true; next = await this.pieces.next()) {
      yield Buffer.from(next.value);
    }
  }
}
