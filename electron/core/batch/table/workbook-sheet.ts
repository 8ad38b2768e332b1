import { unzipSync, zipSync } from 'fflate';

// What the library that reads workbooks leaves out or reads otherwise than a spreadsheet shows it is put right before, in the text of its XML.

/** The first sheet that is not hidden, as a workbook of its own. */
export interface OwnSheet {
  workbook: ArrayBuffer;
  /** Its place among all sheets, from 1. */
  number: number;
  sheets: number;
  /** Rows that the spreadsheet does not show; they are read too. */
  hiddenRows: number;
  /** Cells with a formula for whose result the file has nothing; they are read as empty. */
  formulas: number;
}

const tags = (text: string, name: string): string[] =>
  text.match(new RegExp(`<(?:\\w+:)?${name}\\s[^<>]*>`, 'g')) ?? [];
const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

// Every byte becomes a character and comes back as the same byte, whatever the encoding: only ASCII is looked for.
const textOf = (bytes = new Uint8Array()): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Styles whose number format is zeros alone, which a spreadsheet shows before a number: how many digits, by the style's number. */
function zeroStyles(styles: string): Map<string, number> {
  const formats = new Map(
    tags(styles, 'numFmt').map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  );
  const ofCells = /<((?:\w+:)?cellXfs)\b.*?<\/\1>/s.exec(styles)?.[0] ?? '';
  return new Map(
    tags(ofCells, 'xf').flatMap((tag, index): [string, number][] => {
      const format = formats.get(attribute(tag, 'numFmtId')) ?? '';
      return /^0{2,}$/.test(format) ? [[`${index}`, format.length]] : [];
    }),
  );
}

const formula = '<(?:\\w+:)?f(?:\\s[^<>]*)?(?:\\/>|>[^<]*<\\/(?:\\w+:)?f>)';
/** A cell up to its value: its tag without the brackets, what stands before the value, and the value. */
const cells = (value: string) =>
  new RegExp(`<((?:\\w+:)?c\\s[^<>]*)>((?:${formula})?<(?:\\w+:)?v>)(${value})(?=<)`, 'g');
const truths = cells('true|false');
const numbers = cells('\\d+');
const errorCells = /(<(?:\w+:)?c\s[^<>]*?\bt=)"e"/g;
/** A cell of a formula, and its value if that is empty, as some programs write one that was never computed. */
const formulasAlone = new RegExp(
  `<(?:\\w+:)?c\\b([^<>]*)>\\s*${formula}\\s*(<(?:\\w+:)?v(?:\\s*\\/>|>\\s*<\\/(?:\\w+:)?v>))?\\s*<\\/(?:\\w+:)?c>`,
  'g',
);

/** Its cells as a spreadsheet shows them: errors as their text, zeros before a number that has them by its format. */
function asShown(sheet: string, zeros: ReadonlyMap<string, number>): string {
  const withTexts = sheet
    .replace(errorCells, '$1"str"')
    .replace(truths, (cell, tag: string, before: string, value: string) =>
      attribute(tag, 't') === 'b' ? `<${tag}>${before}${value === 'true' ? 1 : 0}` : cell,
    );
  if (zeros.size === 0) return withTexts;
  return withTexts.replace(numbers, (cell, tag: string, before: string, digits: string) => {
    const width = zeros.get(attribute(tag, 's'));
    if (width === undefined || !/^n?$/.test(attribute(tag, 't'))) return cell;
    return `<${tag.replace(/\st="n"/, '')} t="str">${before}${digits.padStart(width, '0')}`;
  });
}

/** Text without the comments and the marked sections between which the library keeps only the last of its parts. */
const inOnePart = (xml: string): string =>
  xml.replace(/<!--.*?-->|<!\[CDATA\[(.*?)\]\]>/gs, (_, text = '') =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );

/** Takes the first sheet out of a workbook; null: the archive is none. Throws if it cannot be unpacked. */
export function takeOwnSheet(archive: Uint8Array): OwnSheet | null {
  const isSheet = (name: string) => /^xl\/worksheets\/[^/]+\.xml$/.test(name);
  const isNeeded = (name: string) => /^xl\/.*\.xml(?:\.rels)?$/.test(name) && !isSheet(name);
  const files = unzipSync(archive, { filter: ({ name }) => isNeeded(name) });
  const workbook = textOf(files['xl/workbook.xml']);
  const relations = tags(textOf(files['xl/_rels/workbook.xml.rels']), 'Relationship');
  const sheets = tags(workbook, 'sheet').map((tag, index) => {
    const path = attribute(relations.find((one) => attribute(one, 'Id') === attribute(tag, 'id')) ?? '', 'Target');
    const isHidden = /^(?:hidden|veryHidden)$/.test(attribute(tag, 'state'));
    return { number: index + 1, name: path.startsWith('/') ? path.slice(1) : `xl/${path}`, isHidden };
  });
  // A chart is a sheet too.
  const own = sheets.filter(({ name }) => isSheet(name));
  const { number, name } = own.find(({ isHidden }) => !isHidden) ?? own[0] ?? { number: 0, name: '' };
  const content = unzipSync(archive, { filter: (file) => file.name === name })[name];
  if (content === undefined) return null;
  const sheet = inOnePart(textOf(content));
  const styles = Object.entries(files).find(([file]) => /^xl\/styles\d*\.xml$/.test(file))?.[1];
  const strings = Object.entries(files).filter(([file]) => /^xl\/sharedStrings\d*\.xml$/i.test(file));
  const parts = {
    ...files,
    ...Object.fromEntries(strings.map(([file, text]) => [file, bytesOf(inOnePart(textOf(text)))])),
    'xl/workbook.xml': bytesOf(workbook.replace(/\bdate1904="true"/, 'date1904="1"')),
    [name]: bytesOf(asShown(sheet, zeroStyles(textOf(styles)))),
  };
  const { buffer } = zipSync(parts, { level: 0 });
  return {
    workbook: buffer as ArrayBuffer,
    number,
    sheets: sheets.length,
    hiddenRows: tags(sheet, 'row').filter((tag) => /^(?:1|true)$/.test(attribute(tag, 'hidden'))).length,
    // An empty text is a result.
    formulas: [...sheet.matchAll(formulasAlone)].filter(
      ([, tag = '', empty]) => !empty || attribute(tag, 't') !== 'str',
    ).length,
  };
}
