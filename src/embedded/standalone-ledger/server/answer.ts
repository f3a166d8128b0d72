import { isJsonObject, type JsonObject } from '../codec/json.ts';
import type { CommandContext } from './command.ts';
import { commands } from './command-registry.ts';
import { RpcError } from './rpc-error.ts';

/** rippled's API version for requests without one, and the newest one. */
const defaultApiVersion = 1;
const newestApiVersion = 2;
const echoed = ['id', 'api_version', 'jsonrpc', 'ripplerpc'] as const;

/** Parses a request with arbitrary fields; undefined for anything but a JSON object. */
export function parseMessage(text: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isJsonObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The answer to a text that is no request. */
export function notJson(text: string): JsonObject {
  return { error: 'jsonInvalid', type: 'error', value: text.slice(0, 1000) };
}

/** Answers one request. Every failure becomes an error answer; `onBug` gets unexpected errors. */
export function answer(
  context: CommandContext,
  message: JsonObject,
  onBug: (error: unknown) => void,
): JsonObject {
  try {
    return { ...echo(message), result: run(context, message), status: 'success', type: 'response' };
  } catch (error) {
    if (error instanceof RpcError) return errorAnswer(message, error);
    onBug(error);
    return errorAnswer(message, new RpcError('internal'));
  }
}

export function errorAnswer(message: JsonObject, error: RpcError): JsonObject {
  return {
    ...echo(message),
    ...error.fields(),
    request: message,
    status: 'error',
    type: 'response',
  };
}

function run(context: CommandContext, message: JsonObject): JsonObject {
  const apiVersion = message.api_version ?? defaultApiVersion;
  if (apiVersion !== defaultApiVersion && apiVersion !== newestApiVersion) {
    throw new RpcError('invalid_API_version');
  }
  const name = message.command ?? message.method;
  if (typeof name !== 'string') throw new RpcError('missingCommand');
  const command = commands.get(name);
  if (command === undefined) throw new RpcError('unknownCmd');
  if (context.node.amendmentLack?.status === 'blocked' && needsNetwork.has(name)) {
    throw new RpcError('amendmentBlocked');
  }
  return command(context, { command: name, apiVersion, parameters: message });
}

/** Commands with a condition in rippled's list of handlers (Handler.cpp). */
const needsNetwork = new Set(['fee', 'ledger_closed', 'ledger_current', 'submit', 'tx']);

function echo(message: JsonObject): JsonObject {
  return Object.fromEntries(
    echoed.filter((name) => message[name] !== undefined).map((name) => [name, message[name]]),
  );
}
