export {
  type ClientCredentials,
  type ClientRequest,
  type ClientResponse,
  HttpClient,
} from './http-client.ts';
export { LongPoll, type LongPollRequest, usualPauseMs } from './long-poll.ts';
export { type WebRequest, webGet, webGetText } from './web-client.ts';
export { webPost } from './web-post.ts';
