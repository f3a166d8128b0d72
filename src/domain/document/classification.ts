/**
 * What an agent said of a file: a JSON object of its own making. `runId` names the sweep under which
 * the document appears; without it, it appears under none.
 */
export type Classification = Readonly<Record<string, unknown>> & { readonly runId?: string };
