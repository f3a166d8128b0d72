import type { CallToolResult } from '@modelcontextprotocol/server';
import { loggable } from '../../errors/loggable.ts';
import { callAsKey, type InsideCall } from '../calls/call-inside.ts';
import type { RunDeps } from '../calls/run-route.ts';
import { faultReply } from '../errors/error-reply.ts';
import { replyToError } from '../errors/reply-to-error.ts';
import type { ApiRoutes } from '../rooms/bind-routes.ts';
import type { Tool } from './tool.ts';

/** Dependencies of answering messages, and of the tools. */
export interface McpDeps {
  readonly run: RunDeps;
  readonly api: ApiRoutes;
  readonly publicUrl: () => string;
}

/** Calls a tool. Refusals become results with `isError`, their code and message. Never rejects. */
export async function callTool(
  tool: Tool,
  input: Record<string, unknown>,
  deps: McpDeps,
  call: InsideCall,
): Promise<CallToolResult> {
  try {
    const reply = await callAsKey(deps.api(tool.route), deps.run, call, tool.toCall(input));
    const { body } = reply;
    const bytes =
      body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const structured = tool.toResult(answer, { ...reply, body: bytes }, input);
    const more = tool.toText?.(bytes, input) ?? null;
    const texts = [JSON.stringify(structured), ...(more === null ? [] : [more])];
    return {
      content: texts.map((text) => ({ type: 'text', text })),
      structuredContent: structured as Record<string, unknown>,
    };
  } catch (error) {
    return refusalOf(error, deps.run, call);
  }
}

function refusalOf(error: unknown, { log }: Pick<RunDeps, 'log'>, { ctx }: InsideCall) {
  const known = replyToError(error);
  const { requestId } = ctx.state;
  if (known === null) log.error({ requestId, err: loggable(error) }, 'unexpected error in a tool');
  const { body, headers } = known ?? faultReply();
  const { success, ...reasons } = body;
  const wait = headers?.['Retry-After'];
  const text = JSON.stringify({ ...reasons, ...(wait && { retryAfterSeconds: Number(wait) }) });
  return { isError: true, content: [{ type: 'text' as const, text }] };
}
