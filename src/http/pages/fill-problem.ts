import { escapeHtml, type Texts } from './fill-texts.ts';

/** Kind of an error for people: each has words of its own. */
export type ProblemKind = 'noPage' | 'withdrawn' | 'trouble' | 'other';

export interface ProblemValues {
  readonly kind: ProblemKind;
  /** The message of the error, as a sentence. */
  readonly reason: string;
  readonly requestId: string;
  /** Address of the root, relative to the page's own. */
  readonly root: string;
}

/** Fills the page of an error. Every value is escaped. */
export function fillProblem(html: string, { problem: words = {} }: Texts, values: ProblemValues) {
  const { kind, reason, requestId, root } = values;
  const filled: Readonly<Record<string, string | undefined>> = {
    heading: words[`${kind}Heading`] ?? words.heading,
    reason: words[`${kind}Reason`] ?? reason,
    advice: words[`${kind}Lead`] ?? words.lead,
    requestId,
  };
  return html
    .replaceAll('="./', `="${root}`)
    .replace(/\{(heading|reason|advice|requestId)\}/g, (_, name) => escapeHtml(filled[name] ?? ''));
}
