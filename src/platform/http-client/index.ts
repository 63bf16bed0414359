export {
  type ClientCredentials,
  type ClientRequest,
  type ClientResponse,
  HttpClient,
  type StreamedResponse,
} from './http-client.ts';
