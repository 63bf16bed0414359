import { PuppetError } from '../../syntax/index.ts';

/** A parameter that a type does not take. */
export class TypeParameterError extends PuppetError {
  /** The number of the parameter that is to blame; `undefined` for the expression as a whole. */
  readonly keyIndex: number | undefined;

  constructor(code: string, message: string, keyIndex?: number) {
    super({ code, severity: 'error', message });
    this.keyIndex = keyIndex;
  }
}
