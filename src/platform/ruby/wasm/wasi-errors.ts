/** Errors as guests know them. @see WASI preview 1, "errno" */

export const SUCCESS = 0;
export const BAD_DESCRIPTOR = 8;
export const INVALID = 28;
const IO_ERROR = 29;
export const IS_A_DIRECTORY = 31;
export const NOT_A_DIRECTORY = 54;
export const NOT_SUPPORTED = 58;
export const READ_ONLY = 69;
export const NOT_SEEKABLE = 70;

const byCode: Readonly<Record<string, number>> = {
  EACCES: 2,
  EBADF: BAD_DESCRIPTOR,
  EINVAL: INVALID,
  EISDIR: IS_A_DIRECTORY,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOMEM: 48,
  ENOTDIR: NOT_A_DIRECTORY,
  EPERM: 63,
  ESPIPE: NOT_SEEKABLE,
};

/** What to tell of something that the system threw; anything else is thrown again. */
export function wasiError(error: unknown): number {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_INVALID_ARG_VALUE') return INVALID;
  if (syscall === undefined) throw error;
  return byCode[code ?? ''] ?? IO_ERROR;
}
