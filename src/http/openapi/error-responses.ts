import { errorAdvice } from '../errors/error-advice.ts';
import { type ErrorCode, statusOf } from '../errors/error-code.ts';
import { headerRefs, type ResponseHeader, responseHeaders } from './headers.ts';
import type { JsonObject } from './json-schemas.ts';

/** Error responses of operations. Responses common to many operations become components. */
export class ErrorResponses {
  readonly components = new Map<string, JsonObject>();

  /** Responses for the codes of an operation, by status. */
  of(codes: readonly ErrorCode[]): ReadonlyMap<number, JsonObject> {
    const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
    return new Map([...byStatus].map(([status, some]) => [status, this.one(status, some)]));
  }

  private one(status: number, codes: readonly ErrorCode[]): JsonObject {
    const name = nameOf(codes);
    if (name === null) return errorResponse(status, codes);
    if (!this.components.has(name)) this.components.set(name, errorResponse(status, codes));
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Name of the component; null for a response that few operations have. */
function nameOf(codes: readonly ErrorCode[]): string | null {
  if (codes.join() === standing.join()) return 'Forbidden';
  return codes.length > 2 ? null : codes.map(inPascalCase).join('Or');
}

const standing: readonly ErrorCode[] = [
  'SCOPE_NOT_PERMITTED',
  'API_ACCESS_DISABLED',
  'COMPANY_SUSPENDED',
];

function inPascalCase(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
}

/** One response with one of these codes, which all have this status. */
export function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorAdvice[code].meaning}`).join('\n\n'),
    headers: {
      ...headerRefs(headersOf(status, codes)),
      ...(isSometimesRetried(codes) && {
        'Retry-After': sometimes(responseHeaders['Retry-After']),
      }),
      // Only for requests that match no operation, so `Allow` is no component.
      ...(status === 405 && { Allow: responseHeaders.Allow }),
    },
    content: {
      'application/json': {
        schema: errorSchema(codes),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const retried: readonly number[] = [429, 503];
/** Statuses of requests that do not reach an operation. */
const unlimited: readonly number[] = [405, 408, 431];

function headersOf(status: number, codes: readonly ErrorCode[]): readonly ResponseHeader[] {
  const isRetried = retried.includes(status) || codes.every((code) => code === 'XRPL_ERROR');
  return [
    'X-Request-Id',
    ...(unlimited.includes(status) ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(isRetried ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
}

/** True if one of several codes of the status comes with `Retry-After`. */
function isSometimesRetried(codes: readonly ErrorCode[]): boolean {
  return codes.length > 1 && codes.includes('XRPL_ERROR');
}

function sometimes(header: JsonObject): JsonObject {
  return { ...header, description: `Only with XRPL_ERROR. ${header.description}`, required: false };
}

function errorSchema(codes: readonly ErrorCode[]): JsonObject {
  const usage = { usage: { $ref: '#/components/schemas/Usage' } };
  const ids = {
    proofId: { type: 'string', description: 'the queued proof; only with PROOF_NOT_RECORDED' },
    documentId: {
      type: 'string',
      description: 'the stored document; only with PROOF_NOT_RECORDED, and absent for a hash alone',
    },
  };
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: false },
      code: { type: 'string', enum: codes },
      message: { type: 'string', description: 'for people; may be reworded' },
      ...(codes.includes('ENTITLEMENT_EXCEEDED') && usage),
      ...(codes.includes('PROOF_NOT_RECORDED') && ids),
    },
    required: ['success', 'code', 'message'],
  };
}

/** Usage in error bodies with ENTITLEMENT_EXCEEDED. */
export const usageSchema = {
  type: 'object',
  description:
    'Use of the allowance that the upload exceeds: documents of this month, or bytes of all stored ' +
    'files. Only with ENTITLEMENT_EXCEEDED.',
  properties: {
    used: { type: 'integer', minimum: 0 },
    limit: { type: 'integer', minimum: 0 },
    remaining: { type: 'integer', minimum: 0 },
    unit: { type: 'string', enum: ['documents', 'bytes'] },
  },
  required: ['used', 'limit', 'remaining', 'unit'],
};

const exampleProofId = '01M7XT7V10RJ1CFD26ZBSKQXP6';

function exampleOf(code: ErrorCode): JsonObject {
  const body = { success: false, code, message: errorAdvice[code].message };
  if (code === 'PROOF_NOT_RECORDED') return { ...body, proofId: exampleProofId };
  if (code !== 'ENTITLEMENT_EXCEEDED') return body;
  return { ...body, usage: { used: 100, limit: 100, remaining: 0, unit: 'documents' } };
}
