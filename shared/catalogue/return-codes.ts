/** Published meanings of Return_Code (field notes, "Return codes and errors": sure). Any other code is shown as it came. */
export const returnCodes = {
  '0': 'no records',
  '1': 'success',
  '2': 'internal error',
  '201': 'account details not valid',
  '203': 'not enough credits',
  '301': 'input badly formed',
  '302': 'criteria too vague or noise words only',
} as const;

export type ReturnCode = keyof typeof returnCodes;

/** What may be said of an answer that holds something under a code without a published meaning (field notes, "Return codes and errors"). */
export const unpublishedCodeText = (code: string): string =>
  `This came with Return_Code ${code}. Only 1 is success: with any other there is a problem, and what this one means is not published.`;

/** The published meaning; undefined if there is none. */
export function describeReturnCode(code: string): string | undefined {
  return Object.hasOwn(returnCodes, code) ? returnCodes[code as ReturnCode] : undefined;
}

/** What is said of an answer beside whose records something says that there may be more. */
export const doubtText = (doubt: string): string => `This answer may not be whole: ${doubt}.`;
