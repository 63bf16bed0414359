export { Admission, type AdmissionOptions } from './admission.ts';
export { WaitingLine } from './waiting-line.ts';
