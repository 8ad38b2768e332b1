/** One place in the sources that electronegativity reports. */
export interface Finding {
  check: string;
  /** Path relative to the project’s folder; '' for a finding about the whole program. */
  file: string;
  line: number;
}

/** Why the code that a finding reports is right. */
export interface Answer {
  check: string;
  file: string;
  /** The reported code, exactly as in the file; '' if the finding names none. */
  construct: string;
  answer: string;
  /** The test that shows the answer to be true. */
  test: { file: string; name: string };
}

/** Compares findings with their answers. Returns a sentence for each finding without an answer and each answer without a finding. */
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
