import { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import { formText } from './fields.ts';
import { parseInput } from './input.ts';
import type { ReceivedForm } from './receive-form.ts';
import type { UploadedFile } from './route.ts';

/** The contract's bounds on what a file part says of itself. */
const part = { schema: z.object({ file: z.object({ name: formText(255), type: formText(255) }) }) };

/** Refuses with INVALID_REQUEST a file that is missing or empty, or whose name cannot be kept. */
export function checkFile(file: ReceivedForm['file']): UploadedFile {
  if (file === null) {
    throw new Refusal('INVALID_REQUEST', 'file: must be a part with a file and its name');
  }
  const { staged } = file;
  const said = { file: { name: file.fileName, type: file.mimeType } };
  const { name: fileName, type: mimeType } = parseInput(part, said).file;
  if (staged.sizeBytes === 0) throw new Refusal('INVALID_REQUEST', 'file: must not be empty');
  return { fileName, mimeType, staged };
}
