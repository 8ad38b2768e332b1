/** One place that electronegativity points at. */
export interface Finding {
  check: string;
  /** From the project’s folder; '': the whole program. */
  file: string;
  line: number;
}

/** Why a finding is right as it is. */
export interface Answer {
  check: string;
  file: string;
  /** What it points at, as it stands in the file; '': nothing in particular. */
  construct: string;
  answer: string;
  /** Shows that the answer holds. */
  test: { file: string; name: string };
}

/** What is wrong, in words: a finding that nobody answered, more of one than was answered, an answer to what is no longer found. */
export function compareFindings(found: readonly Finding[], answers: readonly Answer[]): string[] {
  const keyOf = ({ check, file }: { check: string; file: string }) => `${check} ${file}`.trim();
  const group = <T extends { check: string; file: string }>(all: readonly T[]) => Map.groupBy(all, keyOf);
  const [seen, known] = [group(found), group(answers)];
  const wrong: string[] = [];
  for (const [key, places] of seen) {
    const answered = known.get(key)?.length ?? 0;
    if (places.length > answered)
      wrong.push(
        `${key} is found ${places.length} times (lines ${places.map(({ line }) => line).join(', ')}) and answered ${answered} times`,
      );
  }
  for (const [key, given] of known) {
    const places = seen.get(key)?.length ?? 0;
    if (places < given.length) wrong.push(`${key} is answered ${given.length} times and found ${places} times`);
  }
  return wrong;
}
