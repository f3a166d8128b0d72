import { postDocument } from '../../documents/post-document.ts';
import type { ApiDeps } from '../console-api.ts';
import type { ConsoleRoute } from '../console-route.ts';

/** Uploads a file, and proves it, by the upload of the API. */
export const proveFileRoute: ConsoleRoute<ApiDeps> = {
  kind: 'order',
  path: '/console/prove/file',
  role: 'owner',
  receives: 'itself',
  handle: (request, { consoleApi }) => consoleApi.upload(request, postDocument),
};
