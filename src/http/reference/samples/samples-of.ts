import type { DescribedCall } from '../calls.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { sampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript.ts';

/** One request in three languages. */
export interface Samples {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

export function samplesOf(call: DescribedCall): Samples {
  const request = sampleRequest(call);
  return {
    curl: curlSample(request),
    typescript: typescriptSample(request),
    python: pythonSample(request),
  };
}
