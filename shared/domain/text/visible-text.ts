/**
 * Characters that draw nothing or affect how others are drawn: controls except tab and line ends (C0, DEL, C1), soft hyphen, fillers,
 * zero-width characters, marks, embeddings, overrides and isolates of direction (U+061C, U+200E–F, U+202A–E, U+2066–9), line and paragraph
 * separators, interlinear marks, tags. In a name from outside they make one thing look like another, or send commands to a terminal.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A text as it is shown: characters that draw nothing by their name, like ⟨U+202E⟩. What is copied and stored stays as it came. */
export function showInvisible(text: string): string {
  return text.replace(invisible, (character) => `⟨U+${hex(character)}⟩`);
}

/**
 * A JSON text in ASCII, every other character as JSON’s own escape: PowerShell decodes what it takes from a program in the code page of
 * its console, and characters that draw nothing must not reach a terminal. Parsing gives them all back as they came.
 */
export function toAsciiJson(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Characters of one text in the window; laying out a word of 10,000 letters blocks it. */
const mostShown = 2000;

/** A text of the service as the window draws it: hidden characters by name, and a long text cut, with how much is left out. */
export function drawable(text: string, most = mostShown): string {
  if (text.length <= most) return showInvisible(text);
  const end = (text.charCodeAt(most) & 0xfc00) === 0xdc00 ? most - 1 : most;
  return `${showInvisible(text.slice(0, end))} … (${(text.length - end).toLocaleString('en-GB')} more characters)`;
}
