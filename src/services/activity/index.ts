/** Who changed what, when and from where. */

export { activityRoutes } from './routes.ts';
export { ActivityStore } from './store.ts';
export { ChangeStream } from './stream/change-stream.ts';
export { fileSink } from './stream/file-sink.ts';
export { parseSyslogAddress, syslogSink } from './stream/syslog-sink.ts';
