/** What a policy of this computer can lock, in words, by its name in app.info. */
export const policyText: Readonly<Record<string, string>> = {
  allowedBaseUrls: 'the addresses of connections',
  updateMode: 'updates',
  updateUrl: 'the update address',
  heldAnswerHoursMax: 'how long answers are saved',
  exportAllowed: 'exports',
  licenceWritesAllowed: 'changes of licences',
  creditsPerRunMax: 'the spending cap since the program started',
  creditsPerDayMax: 'the spending cap for a day',
  balanceFloorMin: 'the minimum balance',
  proxy: 'the proxy',
  clientCertificates: 'client certificates',
  extraCaFile: 'certificates to trust',
};

/** The locked settings as part of a sentence; a name that this window does not know is written as it is. */
export const formatLocked = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map((name) => policyText[name] ?? name).join(', ');
