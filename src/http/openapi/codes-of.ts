import { type ErrorCode, statusOf } from '../errors/error-code.ts';
import { isLimited, type RouteDescription } from '../route-description.ts';

/** Every code in the answers of a route, in the order of the table of codes. */
export function codesOf(route: RouteDescription): readonly ErrorCode[] {
  const can = new Set<ErrorCode>([
    ...everywhere,
    ...(route.scope === null ? [] : withKey),
    ...(isLimited(route) ? limited : []),
    ...('body' in route && route.body ? withJson : []),
    ...('form' in route ? withForm : []),
    ...route.refusals,
  ]);
  // The table's keys are its codes.
  return (Object.keys(statusOf) as ErrorCode[]).filter((code) => can.has(code));
}

const everywhere: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'REQUEST_TIMEOUT',
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  'INTERNAL_ERROR',
];

/**
 * Codes of routes with a key. The key and its organisation are read from the database, so
 * SERVICE_UNAVAILABLE is possible.
 */
const withKey: readonly ErrorCode[] = [
  'INVALID_API_KEY',
  'COMPANY_SUSPENDED',
  'API_ACCESS_DISABLED',
  'SCOPE_NOT_PERMITTED',
  'SERVICE_UNAVAILABLE',
];

const limited: readonly ErrorCode[] = ['RATE_LIMIT_EXCEEDED'];

const withJson: readonly ErrorCode[] = [
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

const withForm: readonly ErrorCode[] = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'FILE_VERIFICATION_UNAVAILABLE',
];
