type Environment = Readonly<Record<string, string | undefined>>;

/** The kinds of signing for which the environment has credentials. Their values are never read here: electron-builder reads them. */
export interface Signing {
  windows: 'none' | 'certificate' | 'azure';
  macos: 'none' | 'certificate';
  notarise: boolean;
  /** True for a release, in which a package that cannot be signed is an error. */
  required: boolean;
}

const given = (env: Environment, ...names: string[]) => names.every((name) => (env[name] ?? '') !== '');

/** build/README.md lists the variables. */
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

/** A sentence for each credential that is missing to sign for a system; empty if none is. */
export function missingToSign(platform: NodeJS.Platform, { windows, macos, notarise }: Signing): string[] {
  if (platform === 'win32' && windows === 'none')
    return ['a certificate for Windows (WIN_CSC_LINK, CSC_LINK or the four AZURE_SIGN_… variables)'];
  if (platform !== 'darwin') return [];
  if (macos === 'none') return ['a Developer ID certificate (CSC_LINK or CSC_NAME)'];
  return notarise ? [] : ['the means to notarise (APPLE_API_KEY…, APPLE_ID… or APPLE_KEYCHAIN_PROFILE)'];
}
