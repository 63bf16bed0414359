export {
  type ClientResponse,
  HttpClient,
} from './http-client.ts';
export { type WebRequest, type WebResponse, webGet, webGetText } from './web-client.ts';
