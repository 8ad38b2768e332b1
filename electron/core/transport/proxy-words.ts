/** For a proxy that answers 407. There is nowhere to enter its password: a second store of secrets would not be worth it. */
export const proxyAsksForPassword = {
  message: 'The proxy asks for a user name and password.',
  next: 'Ask whoever runs the network to let this computer through without them; this program signs in to no proxy.',
} as const;
