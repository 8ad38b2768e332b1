const step = '  ';
/** Deeper lines are indented no further, or a text of nothing but “[” would grow to the square of its length. */
const deepestMargin = 100;

/** The lines as laid out, with which of them opens what a later one closes. */
export class Lines {
  readonly texts: string[] = [];
  readonly pairs: [number, number][] = [];
  private readonly open: number[] = [];
  private readonly margins: string[] = [''];

  add(depth: number, text: string): number {
    const level = Math.min(depth, deepestMargin);
    let margin = this.margins[level];
    if (margin === undefined) {
      margin = step.repeat(level);
      this.margins[level] = margin;
    }
    this.texts.push(margin + text);
    return this.texts.length - 1;
  }
  opened(line: number): void {
    this.open.push(line);
  }
  closed(line: number): void {
    const from = this.open.pop();
    if (from !== undefined && line > from) this.pairs.push([from, line]);
  }
}
