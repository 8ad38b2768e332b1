/** The words that a person searches for, in small letters; each must be somewhere in what is found, in any order. */
export const searchWords = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);
