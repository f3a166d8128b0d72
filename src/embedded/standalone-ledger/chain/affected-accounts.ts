import { isJsonObject, type JsonObject } from '../codec/json.ts';

const accountFields = ['Account', 'Owner', 'RegularKey', 'Destination'] as const;

/** Accounts named in the new or final fields of the nodes that a transaction touched. */
export function affectedAccounts(metadata: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const nodes: readonly unknown[] = Array.isArray(metadata.AffectedNodes)
    ? metadata.AffectedNodes
    : [];
  for (const wrapped of nodes) {
    const node: unknown = isJsonObject(wrapped) ? Object.values(wrapped)[0] : undefined;
    if (!isJsonObject(node)) continue;
    const fields = node.NewFields ?? node.FinalFields;
    if (!isJsonObject(fields)) continue;
    for (const name of accountFields) {
      const value = fields[name];
      if (typeof value === 'string') found.add(value);
    }
  }
  return found;
}
