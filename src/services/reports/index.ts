/** What agents did. */

export { httpProcessor } from './http-processor.ts';
export { logProcessor } from './log-processor.ts';
export { ReportService, type ReportServiceOptions } from './report-service.ts';
export { reportRoutes } from './routes.ts';
export { storeProcessor } from './store-processor.ts';
export type { ReportProcessor } from './termini.ts';
export { decodeReport } from './wire.ts';
