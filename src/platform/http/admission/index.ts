export { Admission } from './admission.ts';
export { WaitingLine } from './waiting-line.ts';
