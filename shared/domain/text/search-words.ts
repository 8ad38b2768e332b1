/** The words of a search, in lower case; each must occur in what is found, in any order. */
export const searchWords = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);
