export { Admission } from './admission.ts';
export { AdmissionQueue } from './admission-queue.ts';
