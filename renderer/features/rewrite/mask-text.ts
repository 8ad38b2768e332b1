import { guid, isSecretField, maskSecret } from '../../../shared/secret-fields.ts';

// Each pattern is read in time by the length of the text: what may be long begins only at its first character, or has a most.

/** Also in a string inside a string: JSON in code, JSON in JSON, JSON in a page. */
const quote = String.raw`(?:\\{0,3}["'\`]|\\{1,2}u002[27]|&quot;)`;
/** A name that ends as those of secrets do, in any notation: apiKey, API_KEY, x-api-key, params.key, licence_id. */
const name = String.raw`[\w.-]*(?:key|guid|licence[_.-]?id|slicense[_.-]?id)`;
const inQuotes = String.raw`(?<open>${quote})(?<quoted>(?:(?!\k<open>)[^\s"'\`])+)\k<open>`;
const value = String.raw`(?:${inQuotes}|(?<bare>(?:\\\/|[^\s&"'\`,;<>{}()[\]#?\\])+))`;
/** `: string =`, `: Optional[str] =`, `As String =`; of letters, so that no key is taken for a type. */
const type = String.raw`(?:[?!]?:|As\s)\s*&?[a-z_.]{1,30}(?:[<[][\w.<>[\]]{1,40})?(?:\s*\|\s*[a-z]{1,30})?\??\s*=\s*(?=${quote})`;
const equals = String.raw`:=|=>|<-|\|\|=?|\?\?=?|!?={1,3}|:|\\{1,2}u003d`;

const patterns = [
  // A parameter of an address, whatever characters its value has, its name percent-encoded or not; also in JSON that escapes & and =.
  String.raw`(?:[?&;]|\\{1,2}u0026)(?<name>[\w.%-]{1,60})(?:=|\\{1,2}u003d)(?<bare>(?:\\\/|[^\s&#"'\`<>\\])+)`,
  // The same, percent-encoded as a whole.
  String.raw`%(?:3F|26)(?<name>${name})%3D(?<bare>(?:(?!%26)[^\s&#"'\`<>\\])+)`,
  // name="ApiKey" value="…", {"key": "ApiKey", "value": "…"}, <name>ApiKey</name><value>…, <key>ApiKey</key><string>…
  String.raw`\b(?:key|name)${quote}?\s*[=:>]\s*${quote}?(?<name>${name})(?![\w.-])[^{}]{0,80}?\b(?:value|string)${quote}?\s*[=:>]\s*${value}`,
  // ("name", "value"), ["name", "value"], {"name", "value"}
  String.raw`[([{]\s*(?<quote>${quote})(?<name>${name})\k<quote>\s*,\s*${inQuotes}`,
  // setApiKey("value"); what only ends like that looks one up, as containsKey("name") does.
  String.raw`(?<!\w)(?<name>(?:set|with|use)?_?(?:api|licen[cs]e|lookup)?_?(?:key|guid))\(\s*${inQuotes}\s*\)(?!\s*=)`,
  // --name value, #define NAME "value"
  String.raw`(?:(?<![\w-])--?|#define[ \t]+)(?<name>${name})[ \t]+(?!-)${value}`,
  // name=value, name: value, "name": "value", name := 'value', x["name"] = "value", const name: string = "value", "…name=" + "value"
  String.raw`(?:(?<quote>${quote})|(?<![\w.-]))(?<name>${name})\k<quote>(?:\s*[\])])?\s*(?:${type}|${equals})\s*(?!\/\/)(?:${quote}\s*[+.&]\s*(?=${quote}))?${value}`,
].map((pattern) => new RegExp(pattern, 'gi'));
const element = /<((?:\w+:)?)(\w+)(\s[^<>]*)?>([^<>]+)<\/\1\2>/g;

const secretName = new RegExp(`^${name}$`, 'i');
const namesSecret = (one: string): boolean => isSecretField(one) || secretName.test(one);

/** Whether the attributes of an element call what is in it a secret: `<entry key="ApiKey">`. */
const attributesName = (attributes: string): boolean =>
  namesSecret(/\b(?:key|name)\s*=\s*["']([\w.-]+)["']/i.exec(attributes)?.[1] ?? '');

/**
 * Whether a value is none: a variable, a type, the ApiKey of `key="ApiKey" value="…"`, or what stands between two strings that are put
 * together, as in `"…?key="+key+"&id="`. No secret is spelt like that.
 */
const isNoValue = (one: string): boolean =>
  /^(?:(?:x-)?(?:api|licen[cs]e|lookup|account)?[_.-]?(?:key|guid)|licen[cs]e_?id|str(?:ing)?)$/i.test(one) ||
  /^([+&.]).*\1$/.test(one);

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Of a pattern that ends with the value, or with the quote behind it. */
function maskFound(whole: string, ...rest: unknown[]): string {
  const found = rest.at(-1) as Partial<Record<'name' | 'quoted' | 'bare', string>>;
  const { bare = '', quoted = bare } = found;
  if (!namesSecret(decode(found.name ?? '')) || isNoValue(quoted)) return whole;
  const end = whole.lastIndexOf(quoted);
  return `${whole.slice(0, end)}${maskSecret(quoted)}${whole.slice(end + quoted.length)}`;
}

/**
 * Masks the secrets of a pasted text, before it is shown or stored anywhere: each by the name that stands before it in a usual form of
 * code, and whatever has the form of a GUID, as credentials of this service have. A secret in another form stays as it is.
 */
export function maskSecretsIn(text: string): string {
  const byElement = text.replace(
    element,
    (whole, prefix: string, one: string, attributes: string | undefined, content: string) =>
      (namesSecret(one) || attributesName(attributes ?? '')) && !isNoValue(content.trim())
        ? `<${prefix}${one}${attributes ?? ''}>${maskSecret(content.trim())}</${prefix}${one}>`
        : whole,
  );
  return patterns
    .reduce((done, pattern) => done.replace(pattern, maskFound), byElement)
    .replace(guid, (found) => maskSecret(found.replace(/[{}]/g, '')));
}
