import { setImmediate as turn } from 'node:timers/promises';
import { type AnswerContent, readContent } from './stored-answer.ts';

// The content of a long answer as text that is written and read over several turns of main: a line of JSON without its list, then lines
// with the list's members. Earlier versions wrote one line with all of it.

/** Members of a list in one line. */
const inOneLine = 2000;

const listOf = (content: AnswerContent): unknown[] =>
  content.kind === 'search' ? content.results : content.kind === 'distances' ? content.rows : [];

function withoutList(content: AnswerContent): AnswerContent {
  if (content.kind === 'search') return { ...content, results: [] };
  return content.kind === 'distances' ? { ...content, rows: [] } : content;
}

/** Content as JSON lines: first all but its list, then the list in slices, each written in a turn of its own. */
export async function writeContent(content: AnswerContent): Promise<string> {
  const lines = [JSON.stringify(withoutList(content))];
  const members = listOf(content);
  for (let from = 0; from < members.length; from += inOneLine) {
    await turn();
    lines.push(JSON.stringify(members.slice(from, from + inOneLine)));
  }
  return lines.join('\n');
}

/** undefined: no content of today's form. Rejects if a line is not JSON. */
export async function readContentText(text: string): Promise<AnswerContent | undefined> {
  const [first = '', ...lines] = text.split('\n');
  const content = readContent(JSON.parse(first));
  if (!content) return undefined;
  const members = listOf(content);
  for (const line of lines) {
    await turn();
    for (const member of JSON.parse(line)) members.push(member);
  }
  return content;
}
