export { toDefiniteForm } from './definite-form.ts';
export { DerError } from './der-error.ts';
export {
  DerReader,
  type DerValue,
  decodeBitString,
  decodeBoolean,
  decodeOid,
  decodeSerial,
  decodeText,
  decodeUnsigned,
  readOnly,
} from './der-reader.ts';
export { constructedContextTag, contextTag, derTags } from './der-tags.ts';
export {
  derBitString,
  derBoolean,
  derElement,
  derIa5String,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSet,
  derUnsigned,
  derUtf8String,
} from './der-writer.ts';
export { decodeOidContent, encodeOidContent, isInSubtree } from './oid.ts';
