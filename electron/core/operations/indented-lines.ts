const step = '  ';

/** Lines as they are laid out, with which of them opens what a later one closes. */
export class Lines {
  readonly texts: string[] = [];
  readonly pairs: [number, number][] = [];
  private readonly open: number[] = [];
  private readonly margins: string[] = [''];

  add(depth: number, text: string): number {
    let margin = this.margins[depth];
    if (margin === undefined) {
      margin = step.repeat(depth);
      this.margins[depth] = margin;
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
