/** A character as an address or a form writes it, also encoded more than once. */
const encoded = (hex: string): string => `%(?:25){0,4}(?:${hex})`;

const open = encoded('3c');
const close = encoded('3e');
const quote = encoded('2[27]');
const colon = `(?::|${encoded('3a')})`;
const equals = `(?:=|${encoded('3d')})`;
const blank = `(?:\\s|\\+|${encoded('20|2b|0[9ad]')})`;
const blanks = `${blank}{0,32}`;
const section = `${open}(?:!|${encoded('21')})(?:\\[|${encoded('5b')})CDATA(?:\\[|${encoded('5b')})`;
/** What neither an encoded text nor what holds it goes across: the next field, or what an address cannot contain. */
const inText = `[^&\\s"'<>]`;
/** What may come before an attribute's name: another letter would make it another name. */
const before = `(?:(?<![\\w.-])|(?<=%(?:25){0,4}(?:20|0[9ad]|2[267bc]|3[bcf]|7b)))`;

const tagOrQuote = new RegExp(`${open}|${quote}`, 'i');
/** Quick, so that an answer with "50 %" in each record is not searched for each pattern. */
export const mayHoldPercentFields = (text: string): boolean => tagOrQuote.test(text);

/** Fields within percent-encoded XML and JSON, as in a form's body or an address. `name` matches the names that count. */
export const percentPatterns = (name: string): RegExp[] =>
  [
    `(?<head>${open}(?:[\\w.-]+${colon})?${name}(?:${blank}(?:(?!${open}|${close})${inText})*)?${close}${blanks}(?:${section})?)(?<value>(?:(?!${open})${inText})+)`,
    `(?<head>(?<quote>${quote})${name}\\k<quote>${blanks}${colon}${blanks}\\k<quote>)(?<value>(?:(?!\\k<quote>)${inText})+)`,
    `(?<head>(?<quote>${quote})${name}\\k<quote>${blanks}${colon}${blanks})(?!null|${blank}|${quote})(?<value>(?:(?!${encoded('2[2c7]|[57]d')})[^&\\s"'<>,{}\\[\\]])+)`,
    `(?<head>${before}${name}${blanks}${equals}${blanks}(?<quote>${quote}))(?<value>(?:(?!\\k<quote>)${inText})+)`,
  ].map((source) => new RegExp(source, 'gi'));
