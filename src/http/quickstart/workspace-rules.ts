/** Ways to the id of a workspace, above all for agents, whose keys may lack workspaces:read. */
export function workspaceRules(baseUrl: string): string[] {
  return [
    'POST /proofs and POST /documents require the id of a workspace. The person who gives an agent ' +
      'its key gives it this id too.',
    `A key with workspaces:read gets the ids and names of all workspaces from GET ${baseUrl}/workspaces.`,
    'A key with the scopes recommended for agents cannot list workspaces: that call is 403 ' +
      'SCOPE_NOT_PERMITTED. Do not ask for more scopes.',
    'An agent that has no id posts its proof without workspace. The answer is 400 INVALID_WORKSPACE, ' +
      'and nothing is stored. If the organisation has only one workspace, the message names its id: ' +
      'send it with the next call. Otherwise ask the account owner for the id.',
  ];
}
