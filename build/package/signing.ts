type Environment = Readonly<Record<string, string | undefined>>;

/** What the surroundings give to sign with. Values of secrets are never read here: electron-builder takes them itself. */
export interface Signing {
  windows: 'none' | 'certificate' | 'azure';
  macos: 'none' | 'certificate';
  notarise: boolean;
  /** Set by a release: a package that cannot be signed is none. */
  required: boolean;
}

const given = (env: Environment, ...names: string[]) => names.every((name) => (env[name] ?? '') !== '');

/** Names of variables: build/README.md. */
export function readSigning(env: Environment): Signing {
  const macos = given(env, 'CSC_LINK') || given(env, 'CSC_NAME') ? 'certificate' : 'none';
  const azure = given(env, 'AZURE_SIGN_ENDPOINT', 'AZURE_SIGN_ACCOUNT', 'AZURE_SIGN_PROFILE', 'AZURE_SIGN_PUBLISHER');
  const certificate = given(env, 'WIN_CSC_LINK') || given(env, 'CSC_LINK');
  return {
    windows: azure ? 'azure' : certificate ? 'certificate' : 'none',
    macos,
    notarise:
      macos === 'certificate' &&
      (given(env, 'APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
        given(env, 'APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID') ||
        given(env, 'APPLE_KEYCHAIN_PROFILE')),
    required: env.ADDRESS_CONSOLE_MUST_SIGN === '1',
  };
}

/** What is missing to sign for a system, in words; empty: nothing. */
export function missingToSign(platform: NodeJS.Platform, { windows, macos, notarise }: Signing): string[] {
  if (platform === 'win32' && windows === 'none')
    return ['a certificate for Windows (WIN_CSC_LINK, CSC_LINK or the four AZURE_SIGN_… variables)'];
  if (platform !== 'darwin') return [];
  if (macos === 'none') return ['a Developer ID certificate (CSC_LINK or CSC_NAME)'];
  return notarise ? [] : ['the means to notarise (APPLE_API_KEY…, APPLE_ID… or APPLE_KEYCHAIN_PROFILE)'];
}
