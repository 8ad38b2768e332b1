/** The part of `sax` that the demo service uses; the package brings no types. */
declare module 'sax' {
  interface QualifiedAttribute {
    name: string;
    prefix: string;
    local: string;
    uri: string;
    value: string;
  }
  interface QualifiedTag {
    name: string;
    local: string;
    uri: string;
    attributes: Record<string, QualifiedAttribute>;
  }
  interface Parser {
    onopentag: (tag: QualifiedTag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    ondoctype: (doctype: string) => void;
    onerror: (error: Error) => void;
    write(chunk: string): Parser;
    close(): Parser;
  }
  interface Options {
    xmlns?: boolean;
    position?: boolean;
    strictEntities?: boolean;
  }
  const sax: { parser(strict: boolean, options?: Options): Parser };
  export default sax;
}
