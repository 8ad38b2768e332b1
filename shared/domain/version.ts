/** Whether a version is one before its release, by the rules of Semantic Versioning: 1.1.0-beta.1. */
export const isPrerelease = (version: string): boolean => /^[^+]*-/.test(version);
