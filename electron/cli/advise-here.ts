import { type AppError, errorCodes } from '../../shared/errors.ts';

/** What an advice calls by a screen of the window, and what it is for a command. */
const placesHere: readonly (readonly [window: string, here: string])[] = [
  // A command trusts no file that the user has chosen in the window.
  [', or choose its file under Settings, Network', ''],
  [
    'the proxy under Settings, Network',
    'the proxy that a policy of this computer or the environment (HTTPS_PROXY, ALL_PROXY) names',
  ],
  ['under Settings, Network', 'in the environment (HTTPS_PROXY, ALL_PROXY)'],
  ['allow more time under Settings', 'allow more time by --timeout'],
  ['under Credits', 'in the window, under Credits'],
  ['Restart the program: it opens', 'Start the window: it opens'],
  // As what a batch waits for has it.
  ['restart the program: it opens', 'start the window: it opens'],
];

/** Where a command reads what an advice sends to Connections, by the error’s code; of others it is a setting of the connection file. */
const sources: Readonly<Record<string, string>> = {
  'credentials-refused': 'the connection file, the environment or the keychain',
  'keychain-absent': 'the environment or the keychain',
  'no-credential': 'the environment or the keychain; an account’s name in the connection file',
  'wrong-key-role': 'the environment or the keychain',
};

/** An advice as text, reworded where it names a screen of the window. `code` is that of its error. */
export function wordHere(next: string, code: string): string {
  const own = code.startsWith('client-certificate-')
    ? next.replace('under Settings, Network', 'in the connection file (clientCertificate)')
    : next;
  return placesHere
    .reduce((text, [window, here]) => text.replace(window, here), own)
    .replace(' under Connections', ` in ${sources[code] ?? 'the connection file'}`)
    .replace(' under Licences', ' in the window');
}

/** An error's advice for whoever reads it on the command line. */
export function adviseHere({ code, next, field }: AppError): string {
  if (next === errorCodes['bad-input'].next)
    return `Correct ${field === 'wants' ? '--want' : (field ?? 'it')} and try again.`;
  if (code === 'client-certificate-unusable' && field === 'passphrase')
    return 'Give it as ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE.';
  if (code === 'not-confirmed' && field === 'ticked') return 'Add --tick to run it all the same.';
  if (code === 'unfinished-change') {
    if (next === errorCodes[code].next)
      return 'See licences unfinished; licences check reads it again, finish and dismiss end it. To undo it, use the window.';
    return next
      .replace('it again under Licences', 'it again with licences check')
      .replace('the machine under Licences', 'the machine with licences details');
  }
  return wordHere(next, code);
}
