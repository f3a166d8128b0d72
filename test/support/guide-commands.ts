/** The labels that stand beside or above the commands in the guide of a certificate. */
const labels =
  /^(Linux, macOS|Linux|macOS|Windows PowerShell|A server, by curl|Proofmark verifier) ?/;

/** Takes commands from the text of a certificate, as somebody would copy them. */
export function guideCommands(text: string) {
  const lines = text.split('\n').map((line) => line.replace(labels, '').trimEnd());
  return {
    /** The lines from the one that begins with `start`. */
    from(start: string, count = 1): string {
      const at = lines.findIndex((line) => line.startsWith(start));
      if (at < 0) throw new Error(`no line begins with ${start}`);
      return lines.slice(at, at + count).join('\n');
    },
  };
}
