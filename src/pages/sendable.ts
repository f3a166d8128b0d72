/** A call of the API that the reference can send. */
export interface Sendable {
  method: string;
  path: string;
  needsKey: boolean;
  parameters: CallParameter[];
  json?: string;
  fields?: FormField[];
}

export interface CallParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example: string;
  isPath: boolean;
}

export interface FormField {
  name: string;
  isFile: boolean;
  required: boolean;
  example: string;
}
