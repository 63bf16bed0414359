export {
  type ClientResponse,
  HttpClient,
} from './http-client.ts';
