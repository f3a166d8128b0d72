/** Versions of the template of certificates. Each is rendered for ever. */
export const templateVersions = [1, 2, 3] as const;
export type TemplateVersion = (typeof templateVersions)[number];

/** Template of certificates that are issued now. */
export const currentTemplate: TemplateVersion = 3;
