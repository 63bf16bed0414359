export { Admission, type AdmissionOptions } from './admission.ts';
