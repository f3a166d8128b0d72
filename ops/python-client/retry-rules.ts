import { errorAdvice } from '../../src/http/errors/error-advice.ts';
import { type ErrorCode, statusOf } from '../../src/http/errors/error-code.ts';

/** Rule of the clients for each wording of the advice about sending a call again. */
const ruleOf: Readonly<Record<string, string>> = {
  no: 'never',
  'once, over a faster connection': 'once',
  'when the proof is completed': 'later',
  'after a few seconds': 'soon',
  'after an hour': 'later',
  'after the endpoint is enabled': 'later',
  'after a key is revoked or has expired': 'later',
  'yes, once, after Retry-After seconds': 'once after Retry-After',
  'once, if the call is idempotent': 'once if idempotent',
  'yes, after Retry-After seconds': 'after Retry-After',
  'yes, after Retry-After seconds, if the call is idempotent': 'after Retry-After if idempotent',
  'not at once; ask for proofId, or post the same hash later': 'later',
};

/** Python source of the table of codes, with status and rule. Throws for advice without a rule. */
export function retryRules(): string {
  // The table's keys are its codes.
  const codes = Object.keys(statusOf) as ErrorCode[];
  const lines = codes.map((code) => {
    const { retry } = errorAdvice[code];
    const rule = ruleOf[retry];
    if (rule === undefined) throw new Error(`no rule of the client follows the advice: ${retry}`);
    return `    "${code}": (${statusOf[code]}, "${rule}"),\n`;
  });
  return `# Status and retry rule of each error code.\nRULES: Dict[str, Tuple[int, str]] = {\n${lines.join('')}}\n`;
}
