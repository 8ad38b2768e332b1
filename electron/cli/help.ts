import { priceOf, publishedCredits } from '../../shared/catalogue/price.ts';
import { findRestEndpoint } from '../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation } from '../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';
import { creditsText } from '../../shared/domain/figures.ts';
import { commandNames } from './arguments.ts';

const general = `Address Console, command line. Prints JSON: {ok, value, price, request, timings} or {ok: false, error}; exit status 0 or 1.

  call <operation or endpoint> --set field=value … --connection file.json
  credits   --connection file.json                        the balance of each interface
  licences  list | details --machine NAME --connection file.json
  licences  register | unregister --licence ID --machine NAME [--yes] --connection file.json
  licences  move --licence ID --machine NAME --to NAME [--yes] --connection file.json
                                                          prints the plan and changes nothing; with --yes it is run and read back:
                                                          {ok, verdict, serviceText, steps}; --timeout is then for each call
  licences  unfinished | check | finish | dismiss --licence ID --connection file.json
  journal   verify [file]                                 finds an entry changed, removed or moved, here or in an export
  operations                                              4 endpoints and 50 operations, from the catalogue
  wsdl <url or file> [--against file]                     a description, and how it differs from the catalogue (with
                                                          --connection, from its namespaces) and from another one
  complete <words so far>                                 what may come next, a line each, for a shell
  help [operation or endpoint]                            its price and fields

  --raw adds the answer as it came; --timeout seconds for all of it (30 unless said). A list field may be set several times.
  --send-anyway sends a text that looks like a key of yours, or has the form of a GUID, which is else refused.

The connection file is JSON: restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, soapVersion (1.1 or 1.2), searchForm (query or
phrase), accountName, machineId, ipAddress, yourReference, listSeparator, name, clientCertificate (a .pfx, .p12 or PEM file, for a server
that asks for one; its passphrase: ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE, else the keychain's). It never holds a secret: those come from the
environment (ADDRESS_CONSOLE_API_KEY, _MASTER_KEY, _GUID, _LICENCE_ID, _LICENCE_KEY, _WEB_MAP_KEY), else from the keychain, under the
connection's name (the file's, if it says none); --secret LABEL says which, where there are several of a kind. Each call is entered in the
ledger and activity log of the window, and held to its caps; RegisterLicense and UnregisterLicense are journalled too, but only
licences plans them and proves them by reading back. ADDRESS_CONSOLE_DATA_FOLDER names another data folder than the program's own.`;

function describe(name: string, help: string, fields: readonly FieldDef[]): string {
  const credits = publishedCredits(priceOf(name));
  const lines = fields.map((field) => {
    const notes = [field.type, ...(field.required ? ['required'] : []), ...(field.list ? ['list'] : [])].join(', ');
    const from = field.credential === undefined ? (field.help ?? field.label) : 'from the connection';
    return `  ${field.name.padEnd(24)} ${notes.padEnd(20)} ${from}`;
  });
  return [`${name} · ${credits === undefined ? 'price not published' : creditsText(credits)}`, help, '', ...lines].join(
    '\n',
  );
}

/** The general page, or what the catalogue says of the first word that it knows; undefined where none of the words means anything. */
export function findHelp(words: readonly string[]): string | undefined {
  for (const word of words) {
    const endpoint = findRestEndpoint(word);
    if (endpoint) return describe(word, endpoint.help, endpoint.parameters);
    const found = findSoapOperation(word);
    if (found) return describe(word, found.operation.help, found.operation.fields);
  }
  const [first] = words;
  return first === undefined || first.startsWith('-') || commandNames.some((name) => name === first)
    ? general
    : undefined;
}
